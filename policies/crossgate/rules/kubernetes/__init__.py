"""Rules about objects of a Kubernetes cluster."""
