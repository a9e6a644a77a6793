from signoff.platform.errors import Conflict, Unauthenticated


class MailUnderWay(Conflict):
    code, title = "mail_under_way", "The mail is being handed over"


class MailSent(Conflict):
    code, title = "mail_sent", "The mail was sent"


class MailContentGone(Conflict):
    code, title = "mail_content_gone", "The mail's content was removed"


class UnsubscribeLinkInvalid(Unauthenticated):
    code, title = "unsubscribe_link_invalid", "Invalid unsubscribe link"
