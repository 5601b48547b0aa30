"""A Redis cache that the application's group may reach, in private subnets.

https://www.pulumi.com/registry/packages/aws/api-docs/elasticache/replicationgroup/
"""

import pulumi_aws as aws


def program() -> None:
    vpc = aws.ec2.Vpc("main", cidr_block="10.0.0.0/16")
    subnets = [aws.ec2.Subnet(f"private-{index}", vpc_id=vpc.id, cidr_block=f"10.0.{index}.0/24") for index in range(2)]
    app = aws.ec2.SecurityGroup("app", vpc_id=vpc.id)
    cache = aws.ec2.SecurityGroup(
        "cache",
        vpc_id=vpc.id,
        ingress=[{"protocol": "tcp", "from_port": 6379, "to_port": 6379, "security_groups": [app.id]}],
    )
    aws.elasticache.ReplicationGroup(
        "cache",
        description="sessions",
        node_type="cache.t4g.micro",
        num_cache_clusters=2,
        subnet_group_name=aws.elasticache.SubnetGroup("cache", subnet_ids=[each.id for each in subnets]).name,
        security_group_ids=[cache.id],
        at_rest_encryption_enabled=True,
        transit_encryption_enabled=True,
    )
