import { Link } from '@tanstack/react-router'
import { Lock } from 'lucide-react'
import { Empty } from '@/components/status'

/** What everybody sees here who may not make or change review types, with the way back. */
export function NotAllowed() {
  return (
    <Empty
      as="h1"
      icon={<Lock size={28} />}
      title="For editors only"
      action={
        <Link to="/" className="font-medium text-accent hover:underline">
          Back to the inbox
        </Link>
      }
    >
      Review types are made and changed by editors. Ask an administrator if you should be one.
    </Empty>
  )
}
