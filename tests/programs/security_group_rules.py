"""Security group rules as resources of their own, one from another group, one from an office.

https://www.pulumi.com/registry/packages/aws/api-docs/vpc/securitygroupingressrule/
"""

import pulumi_aws as aws


def program() -> None:
    vpc = aws.ec2.Vpc("main", cidr_block="10.0.0.0/16")
    web = aws.ec2.SecurityGroup("web", vpc_id=vpc.id)
    database = aws.ec2.SecurityGroup("database", vpc_id=vpc.id)
    aws.vpc.SecurityGroupIngressRule(
        "https", security_group_id=web.id, cidr_ipv4="0.0.0.0/0", from_port=443, to_port=443, ip_protocol="tcp"
    )
    aws.vpc.SecurityGroupIngressRule(
        "ssh-from-the-office",
        security_group_id=web.id,
        cidr_ipv4="203.0.113.0/24",
        from_port=22,
        to_port=22,
        ip_protocol="tcp",
    )
    aws.ec2.SecurityGroupRule(
        "postgres-from-web",
        type="ingress",
        security_group_id=database.id,
        source_security_group_id=web.id,
        from_port=5432,
        to_port=5432,
        protocol="tcp",
    )
    aws.vpc.SecurityGroupEgressRule("out", security_group_id=web.id, cidr_ipv4="0.0.0.0/0", ip_protocol="-1")
