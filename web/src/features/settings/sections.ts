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
import { type ComponentType, lazy } from 'react'
import type { Permission } from '@/api/session'

export type Section = {
  id: string
  label: string
  icon: LucideIcon
  /** Who lacks it does not see the section. */
  needs?: Permission
  page: ComponentType
}

export const SECTIONS: readonly Section[] = [
  {
    id: 'profile',
    label: 'Profile',
    icon: UserRound,
    page: lazy(() => import('./profile/profile-section')),
  },
  {
    id: 'workspace',
    label: 'Workspace',
    icon: Building2,
    page: lazy(() => import('./workspace/workspace-section')),
  },
  { id: 'people', label: 'People', icon: Users, page: lazy(() => import('./people/people-section')) },
  { id: 'groups', label: 'Groups', icon: UsersRound, page: lazy(() => import('./groups/groups-section')) },
  {
    id: 'keys',
    label: 'API keys',
    icon: KeyRound,
    needs: 'administer',
    page: lazy(() => import('./keys/keys-section')),
  },
  {
    id: 'agents',
    label: 'Agents',
    icon: Bot,
    needs: 'design',
    page: lazy(() => import('./agents/agents-section')),
  },
  {
    id: 'chat-apps',
    label: 'Chat apps',
    icon: MessagesSquare,
    needs: 'administer',
    page: lazy(() => import('./chat-apps/chat-apps-section')),
  },
  {
    id: 'deliveries',
    label: 'Deliveries',
    icon: Send,
    page: lazy(() => import('./deliveries/deliveries-section')),
  },
  {
    id: 'audit-log',
    label: 'Audit log',
    icon: ScrollText,
    needs: 'administer',
    page: lazy(() => import('./audit-log/audit-log-section')),
  },
]
