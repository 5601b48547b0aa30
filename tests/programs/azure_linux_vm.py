"""A Linux machine without a public address, reached through Bastion with a key.

https://learn.microsoft.com/azure/bastion/bastion-connect-vm-ssh-linux
"""

import pulumi_azure as azure

PUBLIC_KEY = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIExampleOfAPublicKeyThatNobodyHasThePairOf000 worker@example.com"


def program() -> None:
    group = azure.core.ResourceGroup("worker", location="West Europe")
    network = azure.network.VirtualNetwork(
        "worker", resource_group_name=group.name, location=group.location, address_spaces=["10.0.0.0/16"]
    )
    subnet = azure.network.Subnet(
        "worker",
        resource_group_name=group.name,
        virtual_network_name=network.name,
        address_prefixes=["10.0.1.0/24"],
    )
    interface = azure.network.NetworkInterface(
        "worker",
        resource_group_name=group.name,
        location=group.location,
        ip_configurations=[
            {"name": "internal", "subnet_id": subnet.id, "private_ip_address_allocation": "Dynamic"},
        ],
    )
    azure.compute.LinuxVirtualMachine(
        "worker",
        resource_group_name=group.name,
        location=group.location,
        size="Standard_B2s",
        admin_username="worker",
        admin_ssh_keys=[{"username": "worker", "public_key": PUBLIC_KEY}],
        network_interface_ids=[interface.id],
        os_disk={"caching": "ReadWrite", "storage_account_type": "Premium_LRS"},
        source_image_reference={
            "publisher": "Canonical",
            "offer": "ubuntu-24_04-lts",
            "sku": "server",
            "version": "latest",
        },
    )
