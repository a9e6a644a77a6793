"""The operations under "Email"."""

from signoff.accounts import errors as accounts
from signoff.notifications.mail import errors as mails
from signoff.openapi.words.wording import Operations, Words
from signoff.platform.messages import msg

_NOT_OUR_LINK = mails.UnsubscribeLinkInvalid(
    msg("This link isn't valid or is incomplete. Open it from the email again.")
)

OPERATIONS: Operations = {
    ("get", "/auth/me/nextMail"): Words("getNextMail", "Get your next notification email"),
    ("post", "/account/mail/test"): Words(
        "sendTestMail",
        "Send a test email",
        problems=(accounts.SignInRequired(msg("Sign in to send a test email. It goes to your own address.")),),
    ),
    ("get", "/mails"): Words("listMails", "List emails"),
    ("post", "/mails/{mailId}/resend"): Words(
        "resendMail",
        "Resend an email",
        problems=(
            mails.MailSent(msg("This email was already sent. We don't keep its content, so it can't be resent.")),
            mails.MailUnderWay(msg("This email is being sent right now. Check again in a minute.")),
            mails.MailContentGone(
                msg(
                    "We no longer have this email's content. "
                    "Trigger it again instead, for example by sending a new invite."
                )
            ),
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
