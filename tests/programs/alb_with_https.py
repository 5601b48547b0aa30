"""An internet-facing load balancer that sends visitors on to HTTPS.

https://docs.aws.amazon.com/elasticloadbalancing/latest/application/create-https-listener.html
"""

import pulumi_aws as aws


def program() -> None:
    vpc = aws.ec2.Vpc("web", cidr_block="10.0.0.0/16")
    subnets = [
        aws.ec2.Subnet(
            f"public-{zone}", vpc_id=vpc.id, cidr_block=f"10.0.{number}.0/24", availability_zone=f"eu-west-1{zone}"
        )
        for number, zone in enumerate("ab")
    ]
    everyone = ["0.0.0.0/0"]
    group = aws.ec2.SecurityGroup(
        "web",
        vpc_id=vpc.id,
        description="web traffic",
        ingress=[
            {"protocol": "tcp", "from_port": port, "to_port": port, "cidr_blocks": everyone, "description": "web"}
            for port in (80, 443)
        ],
        egress=[{"protocol": "tcp", "from_port": 8080, "to_port": 8080, "cidr_blocks": ["10.0.0.0/16"]}],
    )
    balancer = aws.lb.LoadBalancer(
        "web",
        load_balancer_type="application",
        security_groups=[group.id],
        subnets=[subnet.id for subnet in subnets],
        drop_invalid_header_fields=True,
    )
    target = aws.lb.TargetGroup("web", port=8080, protocol="HTTP", target_type="ip", vpc_id=vpc.id)
    certificate = aws.acm.Certificate("web", domain_name="shop.example.com", validation_method="DNS")
    aws.lb.Listener(
        "http",
        load_balancer_arn=balancer.arn,
        port=80,
        protocol="HTTP",
        default_actions=[
            {"type": "redirect", "redirect": {"port": "443", "protocol": "HTTPS", "status_code": "HTTP_301"}}
        ],
    )
    aws.lb.Listener(
        "https",
        load_balancer_arn=balancer.arn,
        port=443,
        protocol="HTTPS",
        ssl_policy="ELBSecurityPolicy-TLS13-1-2-2021-06",
        certificate_arn=certificate.arn,
        default_actions=[{"type": "forward", "target_group_arn": target.arn}],
    )
