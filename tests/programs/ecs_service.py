"""A Fargate service behind a load balancer; the database password comes from Secrets Manager by reference.

https://www.pulumi.com/registry/packages/aws/api-docs/ecs/taskdefinition/
"""

import json

import pulumi
import pulumi_aws as aws


def program() -> None:
    cluster = aws.ecs.Cluster("app")
    secret = aws.secretsmanager.Secret("database-password")
    role = aws.iam.Role(
        "execution",
        assume_role_policy=json.dumps(
            {
                "Version": "2012-10-17",
                "Statement": [
                    {
                        "Effect": "Allow",
                        "Principal": {"Service": "ecs-tasks.amazonaws.com"},
                        "Action": "sts:AssumeRole",
                    }
                ],
            }
        ),
    )
    group = aws.ec2.SecurityGroup(
        "load-balancer",
        ingress=[{"protocol": "tcp", "from_port": 80, "to_port": 80, "cidr_blocks": ["0.0.0.0/0"]}],
        egress=[{"protocol": "-1", "from_port": 0, "to_port": 0, "cidr_blocks": ["0.0.0.0/0"]}],
    )
    balancer = aws.lb.LoadBalancer("app", security_groups=[group.id], subnets=["subnet-0a1", "subnet-0a2"])
    target = aws.lb.TargetGroup("app", port=80, protocol="HTTP", target_type="ip", vpc_id="vpc-0a1")
    aws.lb.Listener(
        "app",
        load_balancer_arn=balancer.arn,
        port=80,
        default_actions=[{"type": "forward", "target_group_arn": target.arn}],
    )
    task = aws.ecs.TaskDefinition(
        "app",
        family="app",
        cpu="256",
        memory="512",
        network_mode="awsvpc",
        requires_compatibilities=["FARGATE"],
        execution_role_arn=role.arn,
        container_definitions=pulumi.Output.json_dumps(
            [
                {
                    "name": "app",
                    "image": "registry.example/app:1.4.2",
                    "portMappings": [{"containerPort": 80, "hostPort": 80, "protocol": "tcp"}],
                    "environment": [
                        {"name": "LOG_LEVEL", "value": "info"},
                        {"name": "PASSWORD_FILE", "value": "/run/secrets/password"},
                    ],
                    "secrets": [{"name": "DATABASE_PASSWORD", "valueFrom": secret.arn}],
                }
            ]
        ),
    )
    aws.ecs.Service(
        "app",
        cluster=cluster.arn,
        desired_count=2,
        launch_type="FARGATE",
        task_definition=task.arn,
        network_configuration={"subnets": ["subnet-0a1"], "security_groups": [group.id]},
    )
