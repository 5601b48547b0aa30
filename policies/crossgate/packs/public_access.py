"""Public access: data that strangers can read or write."""

from crossgate.pack import Level, Pack
from crossgate.rules.database.aws_database_public import aws_database_public
from crossgate.rules.database.azure_cosmosdb_open_to_everyone import azure_cosmosdb_open_to_everyone
from crossgate.rules.database.azure_database_open_firewall import azure_database_open_firewall
from crossgate.rules.database.azure_database_open_to_azure import azure_database_open_to_azure
from crossgate.rules.database.azure_database_public_network import azure_database_public_network
from crossgate.rules.database.gcp_sql_open_to_everyone import gcp_sql_open_to_everyone
from crossgate.rules.database.gcp_sql_public_address import gcp_sql_public_address
from crossgate.rules.database.gcp_sql_user_without_password import gcp_sql_user_without_password
from crossgate.rules.database.gcp_sql_without_tls import gcp_sql_without_tls
from crossgate.rules.public.aws_account_public_access_unblocked import aws_account_public_access_unblocked
from crossgate.rules.public.aws_api_without_authorization import aws_api_without_authorization
from crossgate.rules.public.aws_appsync_api_key import aws_appsync_api_key
from crossgate.rules.public.aws_cloudfront_s3_origin_open import aws_cloudfront_s3_origin_open
from crossgate.rules.public.aws_cognito_guest_access import aws_cognito_guest_access
from crossgate.rules.public.aws_emr_public_ports_permitted import aws_emr_public_ports_permitted
from crossgate.rules.public.aws_iam_admin import aws_iam_admin
from crossgate.rules.public.aws_iam_every_resource import aws_iam_every_resource
from crossgate.rules.public.aws_iam_role_open_to_everyone import aws_iam_role_open_to_everyone
from crossgate.rules.public.aws_lambda_any_source import aws_lambda_any_source
from crossgate.rules.public.aws_lambda_open_to_everyone import aws_lambda_open_to_everyone
from crossgate.rules.public.aws_lambda_url_without_authorization import aws_lambda_url_without_authorization
from crossgate.rules.public.aws_lightsail_bucket_public import aws_lightsail_bucket_public
from crossgate.rules.public.aws_resource_policy_open_to_everyone import aws_resource_policy_open_to_everyone
from crossgate.rules.public.aws_s3_access_point_unblocked import aws_s3_access_point_unblocked
from crossgate.rules.public.aws_s3_acls_enabled import aws_s3_acls_enabled
from crossgate.rules.public.aws_s3_cloudfront_unbound import aws_s3_cloudfront_unbound
from crossgate.rules.public.aws_s3_cors_any_origin import aws_s3_cors_any_origin
from crossgate.rules.public.aws_s3_public_access_block_missing import aws_s3_public_access_block_missing
from crossgate.rules.public.aws_s3_public_access_block_weakened import aws_s3_public_access_block_weakened
from crossgate.rules.public.aws_s3_public_acl import aws_s3_public_acl
from crossgate.rules.public.aws_s3_public_policy import aws_s3_public_policy
from crossgate.rules.public.aws_s3_public_resource_policy import aws_s3_public_resource_policy
from crossgate.rules.public.aws_s3_website_hosting import aws_s3_website_hosting
from crossgate.rules.public.aws_shared_with_everyone import aws_shared_with_everyone
from crossgate.rules.public.aws_sns_unencrypted import aws_sns_unencrypted
from crossgate.rules.public.azure_container_registry_anonymous_pull import azure_container_registry_anonymous_pull
from crossgate.rules.public.azure_content_open_to_every_network import azure_content_open_to_every_network
from crossgate.rules.public.azure_image_gallery_public import azure_image_gallery_public
from crossgate.rules.public.azure_storage_public_account import azure_storage_public_account
from crossgate.rules.public.azure_storage_public_container import azure_storage_public_container
from crossgate.rules.public.azure_storage_public_sftp import azure_storage_public_sftp
from crossgate.rules.public.azure_storage_website_hosting import azure_storage_website_hosting
from crossgate.rules.public.gcp_bigquery_public_dataset import gcp_bigquery_public_dataset
from crossgate.rules.public.gcp_function_open_ingress import gcp_function_open_ingress
from crossgate.rules.public.gcp_iam_public_member import gcp_iam_public_member
from crossgate.rules.public.gcp_organization_policy_guard_off import gcp_organization_policy_guard_off
from crossgate.rules.public.gcp_run_open_to_everyone import gcp_run_open_to_everyone
from crossgate.rules.public.gcp_storage_acls_allowed import gcp_storage_acls_allowed
from crossgate.rules.public.gcp_storage_public_access_prevention_missing import (
    gcp_storage_public_access_prevention_missing,
)
from crossgate.rules.public.gcp_storage_public_member import gcp_storage_public_member
from crossgate.rules.public.gcp_workload_identity_open_to_everyone import gcp_workload_identity_open_to_everyone

PACK = Pack(
    "public-access",
    "Data that strangers can read or write",
    [
        (aws_account_public_access_unblocked, Level.MANDATORY),
        (aws_api_without_authorization, Level.ADVISORY),
        (aws_appsync_api_key, Level.ADVISORY),
        (aws_cloudfront_s3_origin_open, Level.ADVISORY),
        (aws_cognito_guest_access, Level.ADVISORY),
        (aws_database_public, Level.MANDATORY),
        (aws_emr_public_ports_permitted, Level.ADVISORY),
        (aws_iam_admin, Level.MANDATORY),
        (aws_iam_every_resource, Level.ADVISORY),
        (aws_iam_role_open_to_everyone, Level.MANDATORY),
        (aws_lambda_any_source, Level.ADVISORY),
        (aws_lambda_open_to_everyone, Level.MANDATORY),
        (aws_lambda_url_without_authorization, Level.ADVISORY),
        (aws_lightsail_bucket_public, Level.MANDATORY),
        (aws_resource_policy_open_to_everyone, Level.MANDATORY),
        (aws_s3_access_point_unblocked, Level.MANDATORY),
        (aws_s3_acls_enabled, Level.ADVISORY),
        (aws_s3_cloudfront_unbound, Level.MANDATORY),
        (aws_s3_cors_any_origin, Level.ADVISORY),
        (aws_s3_public_access_block_missing, Level.ADVISORY),
        (aws_s3_public_access_block_weakened, Level.MANDATORY),
        (aws_s3_public_acl, Level.MANDATORY),
        (aws_s3_public_policy, Level.MANDATORY),
        (aws_s3_public_resource_policy, Level.MANDATORY),
        (aws_s3_website_hosting, Level.ADVISORY),
        (aws_shared_with_everyone, Level.MANDATORY),
        (aws_sns_unencrypted, Level.ADVISORY),
        (azure_container_registry_anonymous_pull, Level.MANDATORY),
        (azure_content_open_to_every_network, Level.ADVISORY),
        (azure_cosmosdb_open_to_everyone, Level.ADVISORY),
        (azure_database_open_firewall, Level.MANDATORY),
        (azure_database_open_to_azure, Level.ADVISORY),
        (azure_database_public_network, Level.ADVISORY),
        (azure_image_gallery_public, Level.ADVISORY),
        (azure_storage_public_account, Level.ADVISORY),
        (azure_storage_public_container, Level.MANDATORY),
        (azure_storage_public_sftp, Level.ADVISORY),
        (azure_storage_website_hosting, Level.ADVISORY),
        (gcp_bigquery_public_dataset, Level.MANDATORY),
        (gcp_function_open_ingress, Level.ADVISORY),
        (gcp_iam_public_member, Level.MANDATORY),
        (gcp_organization_policy_guard_off, Level.ADVISORY),
        (gcp_run_open_to_everyone, Level.ADVISORY),
        (gcp_sql_open_to_everyone, Level.MANDATORY),
        (gcp_sql_public_address, Level.ADVISORY),
        (gcp_sql_user_without_password, Level.MANDATORY),
        (gcp_sql_without_tls, Level.ADVISORY),
        (gcp_storage_acls_allowed, Level.ADVISORY),
        (gcp_storage_public_access_prevention_missing, Level.ADVISORY),
        (gcp_storage_public_member, Level.MANDATORY),
        (gcp_workload_identity_open_to_everyone, Level.ADVISORY),
    ],
)
