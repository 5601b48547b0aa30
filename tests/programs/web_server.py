"""An instance that installs a web server at boot, and its group.

https://www.pulumi.com/registry/packages/aws/api-docs/ec2/instance/
"""

import pulumi_aws as aws

USER_DATA = """#!/bin/bash
set -e
dnf install -y nginx
echo "export API_URL=https://api.example.com/v1" >> /etc/profile.d/app.sh
aws secretsmanager get-secret-value --secret-id shop/web > /run/web.json
systemctl enable --now nginx
"""


def program() -> None:
    group = aws.ec2.SecurityGroup(
        "web",
        ingress=[
            {"protocol": "tcp", "from_port": 80, "to_port": 80, "cidr_blocks": ["0.0.0.0/0"]},
            {
                "protocol": "tcp",
                "from_port": 443,
                "to_port": 443,
                "cidr_blocks": ["0.0.0.0/0"],
                "ipv6_cidr_blocks": ["::/0"],
            },
        ],
    )
    aws.ec2.Instance(
        "web",
        ami="ami-0123456789abcdef0",
        instance_type="t4g.micro",
        vpc_security_group_ids=[group.id],
        user_data=USER_DATA,
        tags={"Name": "web"},
    )
