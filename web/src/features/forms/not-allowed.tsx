import { t } from '@lingui/core/macro'
import { Link } from '@tanstack/react-router'
import { Lock } from 'lucide-react'
import { EmptyState } from '@/components/status'

/** Shown to people who may not create or change review types. */
export function NotAllowed() {
  return (
    <EmptyState
      as="h1"
      icon={<Lock />}
      title={t`You don't have access to review types`}
      action={
        <Link to="/" className="font-medium text-accent hover:underline">
          {t`Back to inbox`}
        </Link>
      }
    >
      {t`Only editors, admins, and owners can create and change review types. Ask an admin for access.`}
    </EmptyState>
  )
}
