"""An Aurora cluster whose password RDS keeps in Secrets Manager.

https://docs.aws.amazon.com/AmazonRDS/latest/AuroraUserGuide/rds-secrets-manager.html
"""

import pulumi_aws as aws


def program() -> None:
    subnets = aws.rds.SubnetGroup("shop", subnet_ids=["subnet-0a1", "subnet-0a2"])
    cluster = aws.rds.Cluster(
        "shop",
        engine="aurora-postgresql",
        engine_mode="provisioned",
        database_name="shop",
        master_username="shop",
        manage_master_user_password=True,
        db_subnet_group_name=subnets.name,
        storage_encrypted=True,
        skip_final_snapshot=True,
        serverlessv2_scaling_configuration={"min_capacity": 0.5, "max_capacity": 4},
    )
    aws.rds.ClusterInstance(
        "shop",
        cluster_identifier=cluster.id,
        instance_class="db.serverless",
        engine=cluster.engine,
        engine_version=cluster.engine_version,
    )
