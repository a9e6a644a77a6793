import { t } from '@lingui/core/macro'
import { Link } from '@tanstack/react-router'
import { ChartNoAxesColumn } from 'lucide-react'
import { EmptyState } from '@/components/status'

const LINK = 'font-medium text-accent hover:underline pointer-coarse:inline-block pointer-coarse:py-3'

/** No data: either nothing has happened yet, or nothing matches the filters. */
export function EmptyInsights({ filtered }: { filtered: boolean }) {
  return (
    <div className="rounded-lg border border-line bg-surface">
      <EmptyState
        icon={<ChartNoAxesColumn />}
        title={filtered ? t`No activity in this period` : t`No data yet`}
        action={
          filtered ? (
            <Link to="/insights" search={{ days: 90 }} className={LINK}>
              {t`Show all activity from the last 90 days`}
            </Link>
          ) : (
            <Link to="/" className={LINK}>
              {t`Go to inbox`}
            </Link>
          )
        }
      >
        {filtered
          ? t`No reviews match these dates and filters.`
          : t`Once agents request reviews and people decide them, you'll see volume, speed, and outcomes here.`}
      </EmptyState>
    </div>
  )
}
