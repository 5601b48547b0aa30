"""A nightly job.

https://kubernetes.io/docs/concepts/workloads/controllers/cron-jobs/
"""

import pulumi
import pulumi_kubernetes as k8s


def program() -> None:
    namespace = k8s.core.v1.Namespace("batch", metadata={"name": "batch"})
    metadata = {"namespace": "batch"}
    after = pulumi.ResourceOptions(depends_on=[namespace])
    k8s.networking.v1.NetworkPolicy(
        "default-deny",
        metadata={"name": "default-deny", **metadata},
        spec={"pod_selector": {}, "policy_types": ["Ingress"]},
        opts=after,
    )
    k8s.batch.v1.CronJob(
        "hello",
        metadata={"name": "hello", **metadata},
        spec={
            "schedule": "* * * * *",
            "job_template": {
                "spec": {
                    "template": {
                        "spec": {
                            "containers": [
                                {
                                    "name": "hello",
                                    "image": "busybox:1.28",
                                    "image_pull_policy": "IfNotPresent",
                                    "command": ["/bin/sh", "-c", "date; echo Hello from the Kubernetes cluster"],
                                }
                            ],
                            "restart_policy": "OnFailure",
                        }
                    }
                }
            },
        },
        opts=after,
    )
