import { Ellipsis, KeyRound, Pencil, Send, Trash2, Zap } from 'lucide-react'
import { useState } from 'react'
import { type Agent, useDeleteAgent, useRotateSecret } from '@/api/settings/agents'
import { Button, IconButton } from '@/components/button'
import { Confirm } from '@/components/dialog'
import { FormFault } from '@/components/form-fault'
import { Menu, MenuItem, MenuSeparator } from '@/components/menu'
import { Badge } from '@/components/status'
import { useOpenSection } from '../use-search'
import { TestDialog } from './test-dialog'

type Props = { agent: Agent; onEdit: () => void; onSecret: (secret: string) => void }

export function AgentRow({ agent, onEdit, onSecret }: Props) {
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
            <span className="font-medium [overflow-wrap:anywhere]">{agent.name}</span>
            {agent.chat !== 'off' && <Badge>chat {agent.chat === 'on' ? 'on' : 'reply only'}</Badge>}
          </p>
          {agent.description && (
            <p className="line-clamp-2 max-w-prose text-muted text-sm">{agent.description}</p>
          )}
          <p className="truncate text-muted text-sm">
            {agent.webhookUrl ? (
              <code className="font-mono text-xs" title={agent.webhookUrl}>
                {agent.webhookUrl}
              </code>
            ) : (
              'No webhook: it pulls its events'
            )}
          </p>
        </div>
        {agent.webhookUrl && (
          <Button
            size="small"
            icon={<Zap size={14} />}
            onClick={() => setTesting(true)}
            className="max-sm:hidden"
          >
            Send a test event
          </Button>
        )}
        <Menu
          trigger={
            <IconButton
              label={`More for ${agent.name}`}
              icon={<Ellipsis size={16} />}
              size="small"
              className="max-md:h-11 max-md:w-11"
            />
          }
        >
          <MenuItem icon={<Pencil size={15} />} onSelect={onEdit}>
            Edit
          </MenuItem>
          <MenuItem icon={<Zap size={15} />} disabled={!agent.webhookUrl} onSelect={() => setTesting(true)}>
            Send a test event
          </MenuItem>
          <MenuItem
            icon={<Send size={15} />}
            onSelect={() => openSection('deliveries', { agent: agent.agentId })}
          >
            Deliveries
          </MenuItem>
          <MenuSeparator />
          <MenuItem icon={<KeyRound size={15} />} onSelect={() => setAsking('rotate')}>
            New secret …
          </MenuItem>
          <MenuItem icon={<Trash2 size={15} />} danger onSelect={() => setAsking('delete')}>
            Delete …
          </MenuItem>
        </Menu>
      </div>
      {testing && <TestDialog agent={agent} onClose={() => setTesting(false)} />}
      <Confirm
        open={asking === 'rotate'}
        onClose={stopAsking}
        title={`New secret for ${agent.name}?`}
        kind="primary"
        confirm="Make a new secret"
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
        <FormFault error={rotate.error} />
        For 24 hours every event is signed with both, the old secret and the new one: give your receiver the
        new one within that time, and nothing is lost. Make another one within that day, and only the latest
        two sign.
      </Confirm>
      <Confirm
        open={asking === 'delete'}
        onClose={stopAsking}
        title={`Delete ${agent.name}?`}
        confirm="Delete"
        busy={remove.isPending}
        onConfirm={() => remove.mutate(agent.agentId, { onSuccess: stopAsking })}
      >
        <FormFault error={remove.error} />
        <p className="mt-2 first:mt-0">
          Its reviews stay readable. An agent that still has review types cannot be deleted.
        </p>
      </Confirm>
    </li>
  )
}
