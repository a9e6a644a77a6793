from signoff.platform.errors import Conflict


class DeliveryUnderWay(Conflict):
    code, title = "delivery_under_way", "The delivery is not settled yet"


class DeliverySettled(Conflict):
    code, title = "delivery_settled", "There is nothing left to stop"


class NoWebhook(Conflict):
    code, title = "no_webhook_url", "The agent has no webhook"
