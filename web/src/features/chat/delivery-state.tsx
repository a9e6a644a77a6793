import { t } from '@lingui/core/macro'
import { CheckCheck, CircleAlert, Clock } from 'lucide-react'
import { useMay } from '@/api/session'
import { type Message, useRedeliver } from '@/api/sessions'

type Props = {
  message: Message
  agentName: string
  /** Only the member's latest message says that it has arrived; the earlier ones have too. */
  isLatest: boolean
}

/** Whether the agent has received a member's message. */
export function DeliveryState({ message, agentName, isLatest }: Props) {
  const redeliver = useRedeliver(message.sessionId)
  const mayDeliver = useMay('deliver')
  const { delivery } = message
  if (delivery === undefined) return null
  if (delivery.status === 'dead')
    return (
      <span className="inline-flex flex-wrap items-center gap-x-2 text-bad text-sm">
        <span className="inline-flex items-center gap-1">
          <CircleAlert className="icon-small" />
          {t`Couldn't reach ${agentName}`}
        </span>
        {mayDeliver && (
          <button
            type="button"
            disabled={redeliver.isPending}
            onClick={() => redeliver.mutate(message)}
            className="rounded underline underline-offset-2 pointer-coarse:min-h-11"
          >
            {t`Retry delivery`}
          </button>
        )}
        {redeliver.error && <span role="alert">{redeliver.error.message}</span>}
      </span>
    )
  if (delivery.status === 'succeeded')
    return isLatest ? (
      <span className="inline-flex items-center gap-1 text-muted text-xs">
        <CheckCheck className="icon-small" /> {t`Delivered`}
      </span>
    ) : null
  return (
    <span className="inline-flex items-center gap-1 text-muted text-xs">
      <Clock className="icon-tiny" />
      {delivery.status === 'retrying' ? t`Couldn't reach ${agentName}. Retrying…` : t`Sending…`}
    </span>
  )
}
