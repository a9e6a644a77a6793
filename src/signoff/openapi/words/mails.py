"""The operations under "Email"."""

from signoff.accounts import errors as accounts
from signoff.notifications.mail import errors as mails
from signoff.openapi.words.wording import Operations, Words

_NOT_OUR_LINK = mails.UnsubscribeLinkInvalid("This link isn't valid or is incomplete. Open it from the email again.")

OPERATIONS: Operations = {
    ("get", "/auth/me/nextMail"): Words("getNextMail", "Get your next notification email"),
    ("post", "/account/mail/test"): Words(
        "sendTestMail",
        "Send a test email",
        problems=(accounts.PersonNeeded("Sign in: a test mail goes to the person who asks for it."),),
    ),
    ("get", "/mails"): Words("listMails", "List emails"),
    ("post", "/mails/{mailId}/resend"): Words(
        "resendMail",
        "Resend an email",
        problems=(
            mails.MailSent("The mail was sent. What is in it is not kept, so it cannot be sent again."),
            mails.MailUnderWay("The mail is being handed over to the mail server. See in a while how it went."),
            mails.MailContentGone("What was in the mail is not kept for so long. Cause it anew instead."),
        ),
    ),
    ("get", "/notifications/unsubscribe"): Words(
        "askToUnsubscribe", "Show the unsubscribe page", problems=(_NOT_OUR_LINK,)
    ),
    ("post", "/notifications/unsubscribe"): Words(
        "unsubscribe",
        "Unsubscribe from review emails",
        problems=(_NOT_OUR_LINK,),
    ),
}
