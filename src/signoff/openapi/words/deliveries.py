"""The operations under "Webhook deliveries"."""

from signoff.openapi.words.wording import Operations, Words
from signoff.webhooks.errors import DeliverySettled, DeliveryUnderWay

OPERATIONS: Operations = {
    ("get", "/webhooks/deliveries"): Words("listDeliveries", "List deliveries"),
    ("get", "/webhooks/deliveries/{deliveryId}"): Words("getDelivery", "Get a delivery"),
    ("get", "/webhooks/deliveries/{deliveryId}/event"): Words("getDeliveryEvent", "Get a delivery's event"),
    ("post", "/webhooks/deliveries/retry"): Words("retryDeliveries", "Retry deliveries"),
    ("post", "/webhooks/deliveries/cancel"): Words("cancelDeliveries", "Cancel deliveries"),
    ("post", "/webhooks/deliveries/{deliveryId}/retry"): Words(
        "retryDelivery",
        "Retry a delivery",
        problems=(DeliveryUnderWay("The delivery is retrying; only a settled one can be retried by hand."),),
    ),
    ("post", "/webhooks/deliveries/{deliveryId}/cancel"): Words(
        "cancelDelivery",
        "Cancel a delivery",
        problems=(DeliverySettled("The delivery is succeeded already."),),
    ),
}
