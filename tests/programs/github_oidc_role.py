"""A role that the workflows of one repository assume to deploy a site.

https://docs.github.com/en/actions/how-tos/secure-your-work/security-harden-deployments/oidc-in-aws
"""

import pulumi
import pulumi_aws as aws

ISSUER = "token.actions.githubusercontent.com"


def program() -> None:
    provider = aws.iam.OpenIdConnectProvider("github", url=f"https://{ISSUER}", client_id_lists=["sts.amazonaws.com"])
    role = aws.iam.Role(
        "deploy",
        assume_role_policy=pulumi.Output.json_dumps(
            {
                "Version": "2012-10-17",
                "Statement": [
                    {
                        "Effect": "Allow",
                        "Principal": {"Federated": provider.arn},
                        "Action": "sts:AssumeRoleWithWebIdentity",
                        "Condition": {
                            "StringEquals": {f"{ISSUER}:aud": "sts.amazonaws.com"},
                            "StringLike": {f"{ISSUER}:sub": "repo:octo-org/site:*"},
                        },
                    }
                ],
            }
        ),
    )
    aws.iam.RolePolicy(
        "deploy",
        role=role.name,
        policy={
            "Version": "2012-10-17",
            "Statement": [{"Effect": "Allow", "Action": "s3:PutObject", "Resource": "arn:aws:s3:::site/*"}],
        },
    )
