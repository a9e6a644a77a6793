import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { API } from '@/api/client'
import { CopyButton } from '@/components/copy-button'
import { CodeBox } from '../code-box'

/** A short form of the receiver in `docs/webhooks.md`. */
const SNIPPET = `# pip install standardwebhooks
import os
from standardwebhooks import Webhook, WebhookVerificationError

webhook = Webhook(os.environ["WEBHOOK_SECRET"])

def receive(body: bytes, headers: dict[str, str]) -> int:
    """Return the HTTP status code to send."""
    try:
        event = webhook.verify(body, headers)
    except WebhookVerificationError:
        return 401
    store(event)  # process it later
    return 204
`

/** How an endpoint verifies that an event comes from Signoff. */
export function SignatureHelp() {
  return (
    <details>
      <summary className="w-fit cursor-pointer text-muted hover:text-ink">
        {t`Verify webhook signatures`}
      </summary>
      <div className="mt-3 flex max-w-2xl flex-col gap-3">
        <p className="text-muted text-sm">
          <Trans>
            Events follow the Standard Webhooks specification, which has libraries for most languages. Verify
            the raw request body, and respond with any 2xx status within 15 seconds. An event can arrive more
            than once; duplicates have the same <code className="font-mono text-xs">webhook-id</code>. See the{' '}
            <a
              href={`${API}/docs`}
              target="_blank"
              rel="noopener noreferrer"
              className="text-accent underline"
            >
              API reference
            </a>
            .
          </Trans>
        </p>
        <CodeBox label={t`Python example`} text={SNIPPET} />
        <div>
          <CopyButton text={SNIPPET} />
        </div>
      </div>
    </details>
  )
}
