import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { Bot } from 'lucide-react'
import { type ReactElement, useMemo } from 'react'
import { useMay } from '@/api/session'
import { type Agent, allAgentsQuery } from '@/api/settings/agents'
import { Menu, MenuItem, MenuLabel } from '@/components/menu'

const NONE: readonly Agent[] = []

/** The agents that the member can start a chat with. */
export function useChatAgents(): readonly Agent[] {
  const agents = useQuery(allAgentsQuery).data
  const mayDecide = useMay('decide')
  return useMemo(
    () =>
      mayDecide && agents
        ? agents.filter(agent => agent.chat === 'on').sort((a, b) => a.name.localeCompare(b.name))
        : NONE,
    [agents, mayDecide],
  )
}

type Props = { trigger: ReactElement; onNew: (agentId: string) => void; align?: 'start' | 'end' }

/** A menu of agents to start a chat with. Renders nothing if there are none. */
export function NewChatMenu({ trigger, onNew, align = 'end' }: Props) {
  const agents = useChatAgents()
  if (agents.length === 0) return null
  return (
    <Menu trigger={trigger} align={align}>
      <MenuLabel>{t({ message: 'New chat with', comment: 'Heading of a menu of agents' })}</MenuLabel>
      {agents.map(agent => (
        <MenuItem key={agent.agentId} icon={<Bot />} onSelect={() => onNew(agent.agentId)}>
          {agent.name}
        </MenuItem>
      ))}
    </Menu>
  )
}
