"""The operations under "Deliveries"."""

from signoff.openapi.words.wording import Operations, Words
from signoff.webhooks.errors import DeliverySettled, DeliveryUnderWay

OPERATIONS: Operations = {
    ("get", "/webhooks/deliveries"): Words("listDeliveries", "List deliveries"),
    ("get", "/webhooks/deliveries/{deliveryId}"): Words("getDelivery", "Fetch a delivery"),
    ("get", "/webhooks/deliveries/{deliveryId}/event"): Words("getDeliveryEvent", "Fetch a delivery's event"),
    ("post", "/webhooks/deliveries/retry"): Words("retryDeliveries", "Retry many deliveries"),
    ("post", "/webhooks/deliveries/cancel"): Words("cancelDeliveries", "Stop many deliveries' attempts"),
    ("post", "/webhooks/deliveries/{deliveryId}/retry"): Words(
        "retryDelivery",
        "Retry a delivery",
        problems=(DeliveryUnderWay("The delivery is retrying; only a settled one can be retried by hand."),),
    ),
    ("post", "/webhooks/deliveries/{deliveryId}/cancel"): Words(
        "cancelDelivery",
        "Stop a delivery's attempts",
        problems=(DeliverySettled("The delivery is succeeded already."),),
    ),
}
