import { API } from '@/api/client'
import { Copy } from '@/components/copy'
import { CodeBox } from '../json-text'

/** As the page for receivers has it; see `docs/webhooks.md`. */
const SNIPPET = `# pip install standardwebhooks
import os
from standardwebhooks import Webhook, WebhookVerificationError

webhook = Webhook(os.environ["WEBHOOK_SECRET"])

def receive(body: bytes, headers: dict[str, str]) -> int:
    """Returns the HTTP status to answer with."""
    try:
        event = webhook.verify(body, headers)
    except WebhookVerificationError:
        return 401
    store(event)  # then work on it afterwards
    return 204
`

/** How a receiver knows that an event comes from here. */
export function VerifyingSignatures() {
  return (
    <details>
      <summary className="w-fit cursor-pointer text-muted hover:text-ink">
        How a receiver verifies events
      </summary>
      <div className="mt-3 flex max-w-2xl flex-col gap-3">
        <p className="text-muted text-sm">
          Events are signed as Standard Webhooks has it, so there is a library for most languages. Verify the
          bytes that you received, answer with any 2xx within 15 seconds, and expect that an event may come
          twice: its <code className="font-mono text-xs">webhook-id</code> is the same then. More in{' '}
          <code className="font-mono text-xs">docs/webhooks.md</code> and in the{' '}
          <a href={`${API}/docs`} target="_blank" rel="noopener noreferrer" className="text-accent underline">
            API reference
          </a>
          .
        </p>
        <CodeBox label="Example in Python" text={SNIPPET} />
        <div>
          <Copy text={SNIPPET} />
        </div>
      </div>
    </details>
  )
}
