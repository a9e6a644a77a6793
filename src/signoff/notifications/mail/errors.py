from signoff.platform.errors import Conflict, Unauthenticated
from signoff.platform.messages import msg


class MailUnderWay(Conflict):
    code, title = "mail_under_way", msg("Email being sent")

    def __init__(self) -> None:
        super().__init__(msg("This email is being sent right now. Check again in a minute."))


class MailSent(Conflict):
    code, title = "mail_sent", msg("Email already sent")

    def __init__(self) -> None:
        super().__init__(msg("This email was already sent. We don't keep its content, so it can't be resent."))


class MailContentGone(Conflict):
    code, title = "mail_content_gone", msg("Email content deleted")

    def __init__(self) -> None:
        super().__init__(
            msg("We no longer have this email's content. Trigger the email again, for example by sending a new invite.")
        )


class UnsubscribeLinkInvalid(Unauthenticated):
    code, title = "unsubscribe_link_invalid", msg("Invalid unsubscribe link")

    def __init__(self) -> None:
        super().__init__(msg("This link isn't valid or is incomplete. Open it from the email again."))


class UnsubscribedMemberGone(UnsubscribeLinkInvalid):
    def __init__(self) -> None:
        Unauthenticated.__init__(self, msg("This member no longer exists."))
