from signoff.platform.errors import Conflict, Unauthenticated
from signoff.platform.messages import msg


class MailUnderWay(Conflict):
    code, title = "mail_under_way", msg("Email being sent")


class MailSent(Conflict):
    code, title = "mail_sent", msg("Email already sent")


class MailContentGone(Conflict):
    code, title = "mail_content_gone", msg("Email content deleted")


class UnsubscribeLinkInvalid(Unauthenticated):
    code, title = "unsubscribe_link_invalid", msg("Invalid unsubscribe link")
