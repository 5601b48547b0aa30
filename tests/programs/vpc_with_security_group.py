"""A VPC and a security group that lets HTTPS in from the VPC's own range.

https://www.pulumi.com/registry/packages/aws/api-docs/ec2/securitygroup/
"""

import pulumi_aws as aws


def program() -> None:
    vpc = aws.ec2.Vpc("main", cidr_block="10.0.0.0/16", enable_dns_hostnames=True)
    subnet = aws.ec2.Subnet("a", vpc_id=vpc.id, cidr_block="10.0.1.0/24", availability_zone="eu-west-1a")
    aws.ec2.SecurityGroup(
        "allow-tls",
        vpc_id=vpc.id,
        ingress=[
            {
                "description": "TLS from the VPC",
                "from_port": 443,
                "to_port": 443,
                "protocol": "tcp",
                "cidr_blocks": [vpc.cidr_block],
            },
            {
                "description": "SSH from the subnet",
                "from_port": 22,
                "to_port": 22,
                "protocol": "tcp",
                "cidr_blocks": [subnet.cidr_block],
            },
        ],
        egress=[{"from_port": 0, "to_port": 0, "protocol": "-1", "cidr_blocks": ["0.0.0.0/0"]}],
    )
