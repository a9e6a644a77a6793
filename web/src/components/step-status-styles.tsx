import { t } from '@lingui/core/macro'
import { Check, Circle, Hourglass, Play, X } from 'lucide-react'
import type { ReactNode } from 'react'
import type { StepStatus } from '@/api/runs'

type StepStatusStyle = { icon: ReactNode; word: string; color: string; edge: string; mark: string }

/** The styles of a step's status: in a card, and as a mark in a list. */
export const STEP_STATUS_STYLES: Record<StepStatus, StepStatusStyle> = {
  submitted: {
    icon: <Play className="icon-small" />,
    get word() {
      return t`Submitted`
    },
    color: 'text-accent',
    edge: 'border-s-accent',
    mark: 'border-accent bg-accent',
  },
  approved: {
    icon: <Check className="icon-small" />,
    get word() {
      return t`Approved`
    },
    color: 'text-good',
    edge: 'border-s-good',
    mark: 'border-good bg-good',
  },
  rejected: {
    icon: <X className="icon-small" />,
    get word() {
      return t`Rejected`
    },
    color: 'text-bad',
    edge: 'border-s-bad',
    mark: 'border-bad bg-bad',
  },
  waiting: {
    icon: <Hourglass className="icon-small" />,
    get word() {
      return t`Waiting on agent`
    },
    color: 'text-warn',
    edge: 'border-s-warn',
    mark: 'border-warn bg-warn-soft',
  },
  pending: {
    icon: <Circle className="icon-small" />,
    get word() {
      return t`Pending`
    },
    color: 'text-muted',
    edge: 'border-s-line-strong',
    mark: 'border-line-strong bg-surface',
  },
}
