"""A network ACL for a public subnet as the VPC guide recommends it: web traffic in, answers on high ports.

https://docs.aws.amazon.com/vpc/latest/userguide/vpc-network-acls.html
"""

import pulumi_aws as aws


def program() -> None:
    vpc = aws.ec2.Vpc("shop", cidr_block="10.0.0.0/16")
    subnet = aws.ec2.Subnet("public", vpc_id=vpc.id, cidr_block="10.0.1.0/24")
    anyone, office = "0.0.0.0/0", "192.0.2.0/24"
    acl = aws.ec2.NetworkAcl(
        "public",
        vpc_id=vpc.id,
        subnet_ids=[subnet.id],
        ingress=[
            {
                "rule_no": 100,
                "action": "allow",
                "protocol": "tcp",
                "from_port": 80,
                "to_port": 80,
                "cidr_block": anyone,
            },
            {
                "rule_no": 110,
                "action": "allow",
                "protocol": "tcp",
                "from_port": 443,
                "to_port": 443,
                "cidr_block": anyone,
            },
            {
                "rule_no": 120,
                "action": "allow",
                "protocol": "tcp",
                "from_port": 22,
                "to_port": 22,
                "cidr_block": office,
            },
        ],
        egress=[
            {
                "rule_no": 100,
                "action": "allow",
                "protocol": "tcp",
                "from_port": 80,
                "to_port": 80,
                "cidr_block": anyone,
            },
            {
                "rule_no": 110,
                "action": "allow",
                "protocol": "tcp",
                "from_port": 443,
                "to_port": 443,
                "cidr_block": anyone,
            },
        ],
    )
    aws.ec2.NetworkAclRule(
        "answers",
        network_acl_id=acl.id,
        rule_number=140,
        egress=True,
        rule_action="allow",
        protocol="tcp",
        from_port=32768,
        to_port=65535,
        cidr_block=anyone,
    )
