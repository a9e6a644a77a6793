import { Link } from '@tanstack/react-router'
import { Compass } from 'lucide-react'
import { Empty } from '@/components/status'

export function NotFound() {
  return (
    <main className="grid min-h-dvh place-items-center">
      <Empty
        icon={<Compass size={28} />}
        title="There is no page here"
        as="h1"
        action={
          <Link to="/" className="text-accent underline">
            Go to the inbox
          </Link>
        }
      >
        The address may be mistyped, or what was here is gone.
      </Empty>
    </main>
  )
}
