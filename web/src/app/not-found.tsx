import { t } from '@lingui/core/macro'
import { Link } from '@tanstack/react-router'
import { Compass } from 'lucide-react'
import { EmptyState } from '@/components/status'

export function NotFound() {
  return (
    <main className="grid min-h-dvh place-items-center">
      <EmptyState
        icon={<Compass />}
        title={t`Page not found`}
        as="h1"
        action={
          <Link to="/" className="text-accent underline">
            {t`Go to inbox`}
          </Link>
        }
      >
        {t`Check the URL. The page may have been moved or deleted.`}
      </EmptyState>
    </main>
  )
}
