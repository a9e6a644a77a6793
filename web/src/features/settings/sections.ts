import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import {
  Bot,
  Building2,
  KeyRound,
  type LucideIcon,
  MessagesSquare,
  ScrollText,
  Send,
  UserRound,
  Users,
  UsersRound,
} from 'lucide-react'
import type { ComponentType } from 'react'
import type { Permission } from '@/api/session'
import { lazyPage } from '@/components/lazy'

export type Section = {
  id: string
  label: MessageDescriptor
  icon: LucideIcon
  /** Hidden from members without this permission. */
  needs?: Permission
  page: ComponentType
}

export const SECTIONS: readonly Section[] = [
  {
    id: 'profile',
    label: msg`Profile`,
    icon: UserRound,
    page: lazyPage(() => import('./profile/profile-section')),
  },
  {
    id: 'workspace',
    label: msg`Workspace`,
    icon: Building2,
    page: lazyPage(() => import('./workspace/workspace-section')),
  },
  { id: 'people', label: msg`Members`, icon: Users, page: lazyPage(() => import('./people/people-section')) },
  {
    id: 'groups',
    label: msg`Groups`,
    icon: UsersRound,
    page: lazyPage(() => import('./groups/groups-section')),
  },
  {
    id: 'keys',
    label: msg`API keys`,
    icon: KeyRound,
    needs: 'administer',
    page: lazyPage(() => import('./keys/keys-section')),
  },
  {
    id: 'agents',
    label: msg`Agents`,
    icon: Bot,
    needs: 'design',
    page: lazyPage(() => import('./agents/agents-section')),
  },
  {
    id: 'chat-apps',
    label: msg`Chat apps`,
    icon: MessagesSquare,
    needs: 'administer',
    page: lazyPage(() => import('./chat-apps/chat-apps-section')),
  },
  {
    id: 'outgoing-messages',
    label: msg`Outgoing messages`,
    icon: Send,
    page: lazyPage(() => import('./outgoing-messages/outgoing-messages-section')),
  },
  {
    id: 'audit-log',
    label: msg`Audit log`,
    icon: ScrollText,
    needs: 'administer',
    page: lazyPage(() => import('./audit-log/audit-log-section')),
  },
]
