"""The operations under "Mails"."""

from signoff.accounts import errors as accounts
from signoff.notifications.mail import errors as mails
from signoff.openapi.words.wording import Operations, Words

_NOT_OUR_LINK = mails.UnsubscribeLinkInvalid("This link isn't valid or is incomplete. Open it from the email again.")

OPERATIONS: Operations = {
    ("get", "/auth/me/nextMail"): Words("getNextMail", "See when the next mail about reviews comes"),
    ("post", "/account/mail/test"): Words(
        "sendTestMail",
        "Send a test mail",
        problems=(accounts.PersonNeeded("Sign in: a test mail goes to the person who asks for it."),),
    ),
    ("get", "/mails"): Words("listMails", "List the mails"),
    ("post", "/mails/{mailId}/resend"): Words(
        "resendMail",
        "Send a mail again",
        problems=(
            mails.MailSent("The mail was sent. What is in it is not kept, so it cannot be sent again."),
            mails.MailUnderWay("The mail is being handed over to the mail server. See in a while how it went."),
            mails.MailContentGone("What was in the mail is not kept for so long. Cause it anew instead."),
        ),
    ),
    ("get", "/notifications/unsubscribe"): Words(
        "askToUnsubscribe", "See a page that ends the mails about reviews", problems=(_NOT_OUR_LINK,)
    ),
    ("post", "/notifications/unsubscribe"): Words(
        "unsubscribe",
        "End the mails about reviews",
        "What `List-Unsubscribe` of such a mail leads to (RFC 8058).",
        problems=(_NOT_OUR_LINK,),
    ),
}
