"""The operations under "Webhook deliveries"."""

from signoff.openapi.words.wording import Operations, Words
from signoff.webhooks.errors import delivery_settled, delivery_under_way

OPERATIONS: Operations = {
    ("get", "/webhooks/deliveries"): Words("listDeliveries", "List deliveries"),
    ("get", "/webhooks/deliveries/{deliveryId}"): Words("getDelivery", "Get a delivery"),
    ("get", "/webhooks/deliveries/{deliveryId}/event"): Words("getDeliveryEvent", "Get a delivery's event"),
    ("post", "/webhooks/deliveries/retry"): Words("retryDeliveries", "Retry deliveries"),
    ("post", "/webhooks/deliveries/cancel"): Words("cancelDeliveries", "Cancel deliveries"),
    ("post", "/webhooks/deliveries/{deliveryId}/retry"): Words(
        "retryDelivery",
        "Retry a delivery",
        problems=(delivery_under_way(),),
    ),
    ("post", "/webhooks/deliveries/{deliveryId}/cancel"): Words(
        "cancelDelivery",
        "Cancel a delivery",
        problems=(delivery_settled("succeeded"),),
    ),
}
