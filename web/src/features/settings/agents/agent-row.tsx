import { plural, t } from '@lingui/core/macro'
import { Ellipsis, KeyRound, Pencil, Send, Trash2, Zap } from 'lucide-react'
import { useState } from 'react'
import { type Agent, useDeleteAgent, useRotateSecret } from '@/api/settings/agents'
import { Button, IconButton } from '@/components/button'
import { Confirm } from '@/components/dialog'
import { FormError } from '@/components/form-error'
import { Menu, MenuItem, MenuSeparator } from '@/components/menu'
import { Badge } from '@/components/status'
import { useOpenSection } from '../use-search'
import { TestDialog } from './test-dialog'

type Props = {
  agent: Agent
  /** Review types in use. An agent that has some can't be deleted. */
  formCount: number
  onEdit: () => void
  onSecret: (secret: string) => void
}

export function AgentRow({ agent, formCount, onEdit, onSecret }: Props) {
  const [asking, setAsking] = useState<'rotate' | 'delete' | null>(null)
  const [testing, setTesting] = useState(false)
  const rotate = useRotateSecret(agent.agentId)
  const remove = useDeleteAgent()
  const openSection = useOpenSection()
  const stopAsking = () => setAsking(null)
  return (
    <li className="border-line border-b py-3">
      <div className="flex items-start gap-3">
        <div className="min-w-0 flex-1">
          <p className="flex flex-wrap items-center gap-2">
            <span dir="auto" className="font-medium [overflow-wrap:anywhere]">
              {agent.name}
            </span>
            {agent.chat !== 'off' && <Badge>{agent.chat === 'on' ? t`Chat on` : t`Chat: reply only`}</Badge>}
          </p>
          {agent.description && (
            <p dir="auto" className="line-clamp-2 max-w-prose text-muted text-sm">
              {agent.description}
            </p>
          )}
          <p className="truncate text-muted text-sm">
            {agent.webhookUrl ? (
              <code className="font-mono text-xs" title={agent.webhookUrl}>
                {agent.webhookUrl}
              </code>
            ) : (
              t`No webhook. Polls for events.`
            )}
          </p>
        </div>
        {agent.webhookUrl && (
          <Button size="small" icon={<Zap />} onClick={() => setTesting(true)} className="max-sm:hidden">
            {t`Send test event…`}
          </Button>
        )}
        <Menu
          trigger={
            <IconButton
              label={t`More actions for ${{ name: agent.name }}`}
              icon={<Ellipsis />}
              size="small"
              className=""
            />
          }
        >
          <MenuItem icon={<Pencil />} onSelect={onEdit}>
            {t`Edit`}
          </MenuItem>
          <MenuItem icon={<Zap />} disabled={!agent.webhookUrl} onSelect={() => setTesting(true)}>
            {t`Send test event…`}
          </MenuItem>
          <MenuItem
            icon={<Send />}
            onSelect={() => openSection('outgoing-messages', { channel: 'webhook', agent: agent.agentId })}
          >
            {t`View deliveries`}
          </MenuItem>
          <MenuSeparator />
          <MenuItem icon={<KeyRound />} onSelect={() => setAsking('rotate')}>
            {t`Rotate secret…`}
          </MenuItem>
          <MenuItem icon={<Trash2 />} danger disabled={formCount > 0} onSelect={() => setAsking('delete')}>
            {t`Delete…`}
            {formCount > 0 && (
              <span className="block max-w-52 text-xs">
                {plural(formCount, {
                  one: "You can't delete this agent: it has # review type. Archive the review type or move it to another agent first.",
                  other:
                    "You can't delete this agent: it has # review types. Archive the review types or move them to another agent first.",
                })}
              </span>
            )}
          </MenuItem>
        </Menu>
      </div>
      {testing && <TestDialog agent={agent} onClose={() => setTesting(false)} />}
      <Confirm
        open={asking === 'rotate'}
        onClose={stopAsking}
        title={t`Rotate the secret for ${{ name: agent.name }}?`}
        kind="primary"
        confirm={t`Rotate secret`}
        busy={rotate.isPending}
        onConfirm={() =>
          rotate.mutate(undefined, {
            onSuccess: secret => {
              stopAsking()
              onSecret(secret)
            },
          })
        }
      >
        <FormError error={rotate.error} />
        <p className="mt-2 first:mt-0">
          {t`For 24 hours, events are signed with both the old and the new secret. Update your endpoint within that time. If you rotate again within 24 hours, only the two newest secrets stay valid.`}
        </p>
      </Confirm>
      <Confirm
        open={asking === 'delete'}
        onClose={stopAsking}
        title={t`Delete ${{ name: agent.name }}?`}
        confirm={t`Delete`}
        busy={remove.isPending}
        onConfirm={() => remove.mutate(agent.agentId, { onSuccess: stopAsking })}
      >
        <FormError error={remove.error} />
        <p className="mt-2 first:mt-0">
          {t`You can still read its reviews. You can't delete an agent that has active review types.`}
        </p>
      </Confirm>
    </li>
  )
}
