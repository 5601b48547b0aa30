"""A virtual machine without a public address.

https://cloud.google.com/compute/docs/connect/ssh-using-iap
"""

import pulumi_gcp as gcp


def program() -> None:
    account = gcp.serviceaccount.Account("worker", account_id="worker")
    gcp.compute.Instance(
        "worker",
        machine_type="e2-small",
        zone="europe-west1-b",
        boot_disk={"initialize_params": {"image": "debian-cloud/debian-12"}},
        network_interfaces=[{"network": "shop", "subnetwork": "shop"}],
        service_account={"email": account.email, "scopes": ["cloud-platform"]},
        shielded_instance_config={"enable_secure_boot": True},
        metadata={"enable-oslogin": "TRUE"},
        metadata_startup_script="#!/bin/sh\napt-get update && apt-get install -y python3\n",
    )
