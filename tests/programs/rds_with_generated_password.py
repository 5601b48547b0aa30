"""A private database whose password is generated.

https://www.pulumi.com/registry/packages/random/api-docs/randompassword/
"""

import pulumi_aws as aws
import pulumi_random as random


def program() -> None:
    password = random.RandomPassword("database", length=24, special=False)
    subnets = aws.rds.SubnetGroup("database", subnet_ids=["subnet-0a1", "subnet-0a2"])
    aws.rds.Instance(
        "database",
        allocated_storage=20,
        engine="postgres",
        instance_class="db.t4g.micro",
        db_name="shop",
        username="shop",
        password=password.result,
        db_subnet_group_name=subnets.name,
        storage_encrypted=True,
        publicly_accessible=False,
        skip_final_snapshot=True,
    )
