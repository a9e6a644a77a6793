import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { X } from 'lucide-react'
import { allAgentsQuery } from '@/api/settings/agents'
import type { Preferences } from '@/api/settings/profile'
import { IconButton } from '@/components/button'
import { NativeSelect } from '@/components/input'
import { MAIL_CHOICES, MAIL_LABELS, type MailChoice } from '../notification-labels'

/** Agents with their own email setting. */
export function NotificationAgents({
  preferences,
  onChoose,
}: {
  preferences: Preferences
  onChoose: (agents: Record<string, MailChoice>) => void
}) {
  const agents = useQuery(allAgentsQuery)
  if (!agents.data?.length) return null
  const chosen = preferences.agents
  const known = agents.data.filter(agent => agent.agentId in chosen)
  const others = agents.data.filter(agent => !(agent.agentId in chosen))
  const without = (agentId: string) =>
    Object.fromEntries(Object.entries(chosen).filter(([each]) => each !== agentId))
  return (
    <fieldset className="flex min-w-0 flex-col gap-2">
      <legend className="mb-1 font-medium text-sm">{t`Exceptions by agent`}</legend>
      {known.map(({ agentId, name }) => (
        <div key={agentId} className="flex items-center gap-2">
          <span dir="auto" className="min-w-0 flex-1 truncate" title={name}>
            {name}
          </span>
          <NativeSelect
            aria-label={t`Emails about reviews from ${name}`}
            className="w-52 max-sm:w-44"
            value={chosen[agentId]}
            onChange={({ target }) => onChoose({ ...chosen, [agentId]: target.value as MailChoice })}
          >
            {MAIL_CHOICES.map(choice => (
              <option key={choice} value={choice}>
                {MAIL_LABELS[choice]}
              </option>
            ))}
          </NativeSelect>
          <IconButton
            label={t`Remove exception for ${name}`}
            icon={<X />}
            onClick={() => onChoose(without(agentId))}
          />
        </div>
      ))}
      {others.length > 0 && (
        <NativeSelect
          aria-label={t`Add exception for an agent`}
          value=""
          onChange={({ target }) =>
            onChoose({ ...chosen, [target.value]: preferences.email === 'none' ? 'each' : 'none' })
          }
        >
          <option value="">{t`Add agent…`}</option>
          {others.map(({ agentId, name }) => (
            <option key={agentId} value={agentId}>
              {name}
            </option>
          ))}
        </NativeSelect>
      )}
    </fieldset>
  )
}
