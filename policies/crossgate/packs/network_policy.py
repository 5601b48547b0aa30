"""Network policy: ingress open to the world, and workloads without network isolation."""

from crossgate.pack import Level, Pack
from crossgate.rules.kubernetes.kubernetes_anonymous_binding import kubernetes_anonymous_binding
from crossgate.rules.kubernetes.kubernetes_control_plane_bind_address import kubernetes_control_plane_bind_address
from crossgate.rules.kubernetes.kubernetes_gateway_open_to_all_namespaces import (
    kubernetes_gateway_open_to_all_namespaces,
)
from crossgate.rules.kubernetes.kubernetes_helm_release_host_network import kubernetes_helm_release_host_network
from crossgate.rules.kubernetes.kubernetes_host_network import kubernetes_host_network
from crossgate.rules.kubernetes.kubernetes_host_port import kubernetes_host_port
from crossgate.rules.kubernetes.kubernetes_http_route_plain_http import kubernetes_http_route_plain_http
from crossgate.rules.kubernetes.kubernetes_ingress_any_host import kubernetes_ingress_any_host
from crossgate.rules.kubernetes.kubernetes_ingress_nginx_snippet import kubernetes_ingress_nginx_snippet
from crossgate.rules.kubernetes.kubernetes_ingress_without_tls import kubernetes_ingress_without_tls
from crossgate.rules.kubernetes.kubernetes_load_balancer_open_to_everyone import (
    kubernetes_load_balancer_open_to_everyone,
)
from crossgate.rules.kubernetes.kubernetes_namespace_without_default_deny import (
    kubernetes_namespace_without_default_deny,
)
from crossgate.rules.kubernetes.kubernetes_network_policy_egress_to_anywhere import (
    kubernetes_network_policy_egress_to_anywhere,
)
from crossgate.rules.kubernetes.kubernetes_network_policy_ingress_from_anywhere import (
    kubernetes_network_policy_ingress_from_anywhere,
)
from crossgate.rules.kubernetes.kubernetes_network_policy_open_to_everyone import (
    kubernetes_network_policy_open_to_everyone,
)
from crossgate.rules.kubernetes.kubernetes_node_port import kubernetes_node_port
from crossgate.rules.kubernetes.kubernetes_pod_security_policy_host_network import (
    kubernetes_pod_security_policy_host_network,
)
from crossgate.rules.kubernetes.kubernetes_privileged_container import kubernetes_privileged_container
from crossgate.rules.kubernetes.kubernetes_role_changes_network import kubernetes_role_changes_network
from crossgate.rules.kubernetes.kubernetes_service_external_ips import kubernetes_service_external_ips
from crossgate.rules.kubernetes.kubernetes_service_status_writer import kubernetes_service_status_writer
from crossgate.rules.kubernetes.kubernetes_workload_without_network_policy import (
    kubernetes_workload_without_network_policy,
)
from crossgate.rules.network.aws_cloudfront_without_tls import aws_cloudfront_without_tls
from crossgate.rules.network.aws_compute_public_address import aws_compute_public_address
from crossgate.rules.network.aws_data_store_in_default_vpc import aws_data_store_in_default_vpc
from crossgate.rules.network.aws_database_default_port import aws_database_default_port
from crossgate.rules.network.aws_ec2_accepts_by_itself import aws_ec2_accepts_by_itself
from crossgate.rules.network.aws_ec2_default_group_open import aws_ec2_default_group_open
from crossgate.rules.network.aws_ec2_default_vpc import aws_ec2_default_vpc
from crossgate.rules.network.aws_ec2_open_egress import aws_ec2_open_egress
from crossgate.rules.network.aws_ec2_open_ingress import aws_ec2_open_ingress
from crossgate.rules.network.aws_ec2_peering_takes_everything import aws_ec2_peering_takes_everything
from crossgate.rules.network.aws_ec2_subnet_public_addresses import aws_ec2_subnet_public_addresses
from crossgate.rules.network.aws_eks_control_plane_open_to_world import aws_eks_control_plane_open_to_world
from crossgate.rules.network.aws_eks_node_group_open_ssh import aws_eks_node_group_open_ssh
from crossgate.rules.network.aws_eks_public_control_plane import aws_eks_public_control_plane
from crossgate.rules.network.aws_lambda_outside_vpc import aws_lambda_outside_vpc
from crossgate.rules.network.aws_lb_internet_facing import aws_lb_internet_facing
from crossgate.rules.network.aws_lb_listener_without_tls import aws_lb_listener_without_tls
from crossgate.rules.network.aws_lb_old_tls import aws_lb_old_tls
from crossgate.rules.network.aws_lightsail_open_ports import aws_lightsail_open_ports
from crossgate.rules.network.aws_nacl_open_ingress import aws_nacl_open_ingress
from crossgate.rules.network.aws_opensearch_default_security_group import aws_opensearch_default_security_group
from crossgate.rules.network.aws_opensearch_outside_vpc import aws_opensearch_outside_vpc
from crossgate.rules.network.aws_opensearch_serverless_public_network import aws_opensearch_serverless_public_network
from crossgate.rules.network.aws_public_entry_without_web_acl import aws_public_entry_without_web_acl
from crossgate.rules.network.aws_redshift_traffic_outside_vpc import aws_redshift_traffic_outside_vpc
from crossgate.rules.network.aws_service_reaches_internet import aws_service_reaches_internet
from crossgate.rules.network.aws_transfer_server_public import aws_transfer_server_public
from crossgate.rules.network.azure_aks_control_plane_open_to_world import azure_aks_control_plane_open_to_world
from crossgate.rules.network.azure_aks_kubenet import azure_aks_kubenet
from crossgate.rules.network.azure_aks_network_policy_off import azure_aks_network_policy_off
from crossgate.rules.network.azure_aks_node_public_address import azure_aks_node_public_address
from crossgate.rules.network.azure_aks_public_control_plane import azure_aks_public_control_plane
from crossgate.rules.network.azure_app_public_network import azure_app_public_network
from crossgate.rules.network.azure_application_gateway_without_tls import azure_application_gateway_without_tls
from crossgate.rules.network.azure_disk_open_to_every_network import azure_disk_open_to_every_network
from crossgate.rules.network.azure_machine_learning_open_storage import azure_machine_learning_open_storage
from crossgate.rules.network.azure_network_interface_public_address import azure_network_interface_public_address
from crossgate.rules.network.azure_nsg_open_ingress import azure_nsg_open_ingress
from crossgate.rules.network.azure_public_entry_without_firewall import azure_public_entry_without_firewall
from crossgate.rules.network.azure_service_open_firewall import azure_service_open_firewall
from crossgate.rules.network.azure_service_outside_virtual_network import azure_service_outside_virtual_network
from crossgate.rules.network.azure_service_public_network import azure_service_public_network
from crossgate.rules.network.azure_service_without_private_endpoint import azure_service_without_private_endpoint
from crossgate.rules.network.azure_site_without_tls import azure_site_without_tls
from crossgate.rules.network.azure_subnet_without_security_group import azure_subnet_without_security_group
from crossgate.rules.network.azure_synapse_data_leaves_freely import azure_synapse_data_leaves_freely
from crossgate.rules.network.azure_synapse_without_managed_network import azure_synapse_without_managed_network
from crossgate.rules.network.gcp_compute_public_address import gcp_compute_public_address
from crossgate.rules.network.gcp_compute_serial_port import gcp_compute_serial_port
from crossgate.rules.network.gcp_firewall_open_ingress import gcp_firewall_open_ingress
from crossgate.rules.network.gcp_gke_control_plane_open_to_world import gcp_gke_control_plane_open_to_world
from crossgate.rules.network.gcp_gke_legacy_metadata import gcp_gke_legacy_metadata
from crossgate.rules.network.gcp_gke_network_policy_off import gcp_gke_network_policy_off
from crossgate.rules.network.gcp_gke_public_nodes import gcp_gke_public_nodes
from crossgate.rules.network.gcp_lb_weak_tls import gcp_lb_weak_tls
from crossgate.rules.network.gcp_lb_without_tls import gcp_lb_without_tls
from crossgate.rules.network.gcp_project_default_network import gcp_project_default_network
from crossgate.rules.network.gcp_service_public_address import gcp_service_public_address
from crossgate.rules.network.gcp_subnet_without_private_google_access import gcp_subnet_without_private_google_access
from crossgate.rules.network.virtual_machine_ip_forwarding import virtual_machine_ip_forwarding

PACK = Pack(
    "network-policy",
    "Ingress open to the world, and workloads without network isolation",
    [
        (aws_cloudfront_without_tls, Level.ADVISORY),
        (aws_compute_public_address, Level.ADVISORY),
        (aws_data_store_in_default_vpc, Level.ADVISORY),
        (aws_database_default_port, Level.DISABLED),
        (aws_ec2_accepts_by_itself, Level.ADVISORY),
        (aws_ec2_default_group_open, Level.ADVISORY),
        (aws_ec2_default_vpc, Level.ADVISORY),
        (aws_ec2_open_egress, Level.DISABLED),
        (aws_ec2_open_ingress, Level.MANDATORY),
        (aws_ec2_peering_takes_everything, Level.ADVISORY),
        (aws_ec2_subnet_public_addresses, Level.ADVISORY),
        (aws_eks_control_plane_open_to_world, Level.ADVISORY),
        (aws_eks_node_group_open_ssh, Level.MANDATORY),
        (aws_eks_public_control_plane, Level.ADVISORY),
        (aws_lambda_outside_vpc, Level.DISABLED),
        (aws_lb_internet_facing, Level.DISABLED),
        (aws_lb_listener_without_tls, Level.ADVISORY),
        (aws_lb_old_tls, Level.ADVISORY),
        (aws_lightsail_open_ports, Level.MANDATORY),
        (aws_nacl_open_ingress, Level.ADVISORY),
        (aws_opensearch_default_security_group, Level.ADVISORY),
        (aws_opensearch_outside_vpc, Level.ADVISORY),
        (aws_opensearch_serverless_public_network, Level.ADVISORY),
        (aws_public_entry_without_web_acl, Level.ADVISORY),
        (aws_redshift_traffic_outside_vpc, Level.ADVISORY),
        (aws_service_reaches_internet, Level.ADVISORY),
        (aws_transfer_server_public, Level.ADVISORY),
        (azure_aks_control_plane_open_to_world, Level.ADVISORY),
        (azure_aks_kubenet, Level.ADVISORY),
        (azure_aks_network_policy_off, Level.ADVISORY),
        (azure_aks_node_public_address, Level.ADVISORY),
        (azure_aks_public_control_plane, Level.ADVISORY),
        (azure_app_public_network, Level.ADVISORY),
        (azure_application_gateway_without_tls, Level.ADVISORY),
        (azure_disk_open_to_every_network, Level.ADVISORY),
        (azure_machine_learning_open_storage, Level.ADVISORY),
        (azure_network_interface_public_address, Level.ADVISORY),
        (azure_nsg_open_ingress, Level.MANDATORY),
        (azure_public_entry_without_firewall, Level.ADVISORY),
        (azure_service_open_firewall, Level.ADVISORY),
        (azure_service_outside_virtual_network, Level.ADVISORY),
        (azure_service_public_network, Level.ADVISORY),
        (azure_service_without_private_endpoint, Level.ADVISORY),
        (azure_site_without_tls, Level.ADVISORY),
        (azure_subnet_without_security_group, Level.ADVISORY),
        (azure_synapse_data_leaves_freely, Level.ADVISORY),
        (azure_synapse_without_managed_network, Level.ADVISORY),
        (gcp_compute_public_address, Level.ADVISORY),
        (gcp_compute_serial_port, Level.ADVISORY),
        (gcp_firewall_open_ingress, Level.MANDATORY),
        (gcp_gke_control_plane_open_to_world, Level.ADVISORY),
        (gcp_gke_legacy_metadata, Level.ADVISORY),
        (gcp_gke_network_policy_off, Level.ADVISORY),
        (gcp_gke_public_nodes, Level.ADVISORY),
        (gcp_lb_weak_tls, Level.ADVISORY),
        (gcp_lb_without_tls, Level.ADVISORY),
        (gcp_project_default_network, Level.ADVISORY),
        (gcp_service_public_address, Level.ADVISORY),
        (gcp_subnet_without_private_google_access, Level.ADVISORY),
        (kubernetes_anonymous_binding, Level.MANDATORY),
        (kubernetes_control_plane_bind_address, Level.ADVISORY),
        (kubernetes_gateway_open_to_all_namespaces, Level.ADVISORY),
        (kubernetes_helm_release_host_network, Level.ADVISORY),
        (kubernetes_host_network, Level.MANDATORY),
        (kubernetes_host_port, Level.ADVISORY),
        (kubernetes_http_route_plain_http, Level.ADVISORY),
        (kubernetes_ingress_any_host, Level.ADVISORY),
        (kubernetes_ingress_nginx_snippet, Level.ADVISORY),
        (kubernetes_ingress_without_tls, Level.ADVISORY),
        (kubernetes_load_balancer_open_to_everyone, Level.ADVISORY),
        # This one blocks by its effect what the rules about open policies, and about workloads without any, find: they
        # name the object that is at fault, and the pods that are open for it.
        (kubernetes_namespace_without_default_deny, Level.MANDATORY),
        (kubernetes_network_policy_egress_to_anywhere, Level.ADVISORY),
        (kubernetes_network_policy_ingress_from_anywhere, Level.ADVISORY),
        (kubernetes_network_policy_open_to_everyone, Level.ADVISORY),
        (kubernetes_node_port, Level.ADVISORY),
        (kubernetes_pod_security_policy_host_network, Level.ADVISORY),
        (kubernetes_privileged_container, Level.MANDATORY),
        (kubernetes_role_changes_network, Level.ADVISORY),
        (kubernetes_service_external_ips, Level.ADVISORY),
        (kubernetes_service_status_writer, Level.ADVISORY),
        (kubernetes_workload_without_network_policy, Level.ADVISORY),
        (virtual_machine_ip_forwarding, Level.ADVISORY),
    ],
)
