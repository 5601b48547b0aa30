"""Secret leakage: secrets that stand where they can be read."""

from crossgate.pack import Level, Pack
from crossgate.rules.leakage.aws_iam_policy_gives_out_credentials import aws_iam_policy_gives_out_credentials
from crossgate.rules.leakage.aws_ssm_parameter_secret_as_text import aws_ssm_parameter_secret_as_text
from crossgate.rules.leakage.kubernetes_configmap_secret import kubernetes_configmap_secret
from crossgate.rules.leakage.kubernetes_helm_values_secret import kubernetes_helm_values_secret
from crossgate.rules.leakage.kubernetes_secret_as_variable import kubernetes_secret_as_variable
from crossgate.rules.leakage.kubernetes_secret_in_clear import kubernetes_secret_in_clear
from crossgate.rules.leakage.provider_credential_in_clear import provider_credential_in_clear
from crossgate.rules.leakage.secret_in_environment import secret_in_environment
from crossgate.rules.leakage.secret_in_property import secret_in_property
from crossgate.rules.leakage.secret_in_stack_output import secret_in_stack_output
from crossgate.rules.leakage.secret_in_user_data import secret_in_user_data
from crossgate.rules.leakage.secret_input_unmarked import secret_input_unmarked

PACK = Pack(
    "secret-leakage",
    "Secrets that stand where they can be read",
    [
        (aws_iam_policy_gives_out_credentials, Level.ADVISORY),
        (aws_ssm_parameter_secret_as_text, Level.ADVISORY),
        (kubernetes_configmap_secret, Level.MANDATORY),
        (kubernetes_helm_values_secret, Level.MANDATORY),
        (kubernetes_secret_as_variable, Level.ADVISORY),
        (kubernetes_secret_in_clear, Level.MANDATORY),
        (provider_credential_in_clear, Level.MANDATORY),
        (secret_in_environment, Level.MANDATORY),
        (secret_in_property, Level.MANDATORY),
        (secret_in_stack_output, Level.MANDATORY),
        (secret_in_user_data, Level.MANDATORY),
        (secret_input_unmarked, Level.MANDATORY),
    ],
)
