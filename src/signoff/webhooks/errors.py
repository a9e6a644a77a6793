from signoff.platform.errors import Conflict
from signoff.platform.messages import msg


class DeliveryUnderWay(Conflict):
    code, title = "delivery_under_way", msg("Delivery still in progress")


class DeliverySettled(Conflict):
    code, title = "delivery_settled", msg("Delivery already finished")


class NoWebhook(Conflict):
    code, title = "no_webhook_url", msg("Agent has no webhook")


def delivery_under_way() -> DeliveryUnderWay:
    return DeliveryUnderWay(
        msg("This delivery is still in progress. You can retry it once it has succeeded or failed.")
    )


def delivery_settled(status: str) -> DeliverySettled:
    if status == "succeeded":
        return DeliverySettled(msg("This delivery has already succeeded, so there's nothing to cancel."))
    return DeliverySettled(msg("This delivery has already failed, so there's nothing to cancel."))


def no_webhook() -> NoWebhook:
    return NoWebhook(msg("This agent has no webhook URL. Add one to send a test event."))
