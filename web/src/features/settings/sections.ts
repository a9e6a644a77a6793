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
    page: lazyPage(() => import('./profile/profile-section')),
  },
  {
    id: 'workspace',
    label: 'Workspace',
    icon: Building2,
    page: lazyPage(() => import('./workspace/workspace-section')),
  },
  { id: 'people', label: 'People', icon: Users, page: lazyPage(() => import('./people/people-section')) },
  {
    id: 'groups',
    label: 'Groups',
    icon: UsersRound,
    page: lazyPage(() => import('./groups/groups-section')),
  },
  {
    id: 'keys',
    label: 'API keys',
    icon: KeyRound,
    needs: 'administer',
    page: lazyPage(() => import('./keys/keys-section')),
  },
  {
    id: 'agents',
    label: 'Agents',
    icon: Bot,
    needs: 'design',
    page: lazyPage(() => import('./agents/agents-section')),
  },
  {
    id: 'chat-apps',
    label: 'Chat apps',
    icon: MessagesSquare,
    needs: 'administer',
    page: lazyPage(() => import('./chat-apps/chat-apps-section')),
  },
  {
    id: 'deliveries',
    label: 'Deliveries',
    icon: Send,
    page: lazyPage(() => import('./deliveries/deliveries-section')),
  },
  {
    id: 'audit-log',
    label: 'Audit log',
    icon: ScrollText,
    needs: 'administer',
    page: lazyPage(() => import('./audit-log/audit-log-section')),
  },
]
