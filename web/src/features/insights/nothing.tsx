import { Link } from '@tanstack/react-router'
import { ChartNoAxesColumn } from 'lucide-react'
import { Empty } from '@/components/status'

const LINK = 'font-medium text-accent hover:underline max-md:inline-block max-md:py-3'

/** Nothing at all to draw: either nothing has happened yet, or it happened elsewhere. */
export function Nothing({ filtered }: { filtered: boolean }) {
  return (
    <div className="rounded-lg border border-line bg-surface">
      <Empty
        icon={<ChartNoAxesColumn size={32} />}
        title={filtered ? 'Nothing happened here in these days' : 'Nothing to draw yet'}
        action={
          filtered ? (
            <Link to="/insights" search={{ days: 90 }} className={LINK}>
              Show everything of the last 90 days
            </Link>
          ) : (
            <Link to="/" className={LINK}>
              Go to the inbox
            </Link>
          )
        }
      >
        {filtered
          ? 'No review was requested or decided with this choice of days, agent and review type.'
          : 'Once agents ask for reviews and people decide them, this page shows how much there is to do, how long it takes and what comes of it.'}
      </Empty>
    </div>
  )
}
