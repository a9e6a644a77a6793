import { ArrowLeft, Pencil } from 'lucide-react'
import { type KeyboardEvent, useRef, useState } from 'react'
import { useMay } from '@/api/session'
import { type Session, useNameSession } from '@/api/sessions'
import { Avatar } from '@/components/avatar'
import { IconButton } from '@/components/button'
import { Input } from '@/components/input'
import { titleOf } from './names'

const MOST_SHOWN = 4
const LONGEST_NAME = 200

/** What the session is called, with whom it is, and who takes part. */
export function SessionHeader({ session, onClose }: { session: Session; onClose: () => void }) {
  const [isNaming, setNaming] = useState(false)
  const mayName = useMay('decide')
  const title = titleOf(session)
  return (
    <header className="flex min-h-14 items-center gap-1 border-line border-b px-4 py-2 max-md:px-1 md:px-6">
      <IconButton
        label="Back to the list"
        icon={<ArrowLeft size={18} />}
        size="large"
        className="md:hidden"
        onClick={onClose}
      />
      <div className="min-w-0 flex-1">
        {isNaming ? (
          <NameInput session={session} onDone={() => setNaming(false)} />
        ) : (
          <div className="flex min-w-0 items-center gap-1">
            <h1 dir="auto" className="min-w-0 truncate font-semibold text-lg" title={title}>
              {title}
            </h1>
            {mayName && (
              <IconButton
                label="Name this session"
                icon={<Pencil size={14} />}
                size="small"
                className="max-md:size-11"
                onClick={() => setNaming(true)}
              />
            )}
          </div>
        )}
        <p className="truncate text-muted text-sm">
          {session.name && `${session.agentName} · `}
          {countInWords(session)}
        </p>
      </div>
      <Participants session={session} />
    </header>
  )
}

function countInWords({ messageCount, openReviews }: Session): string {
  const messages = messageCount === 1 ? '1 message' : `${messageCount.toLocaleString('en')} messages`
  if (openReviews === 0) return messages
  return `${messages} · ${openReviews === 1 ? '1 review' : `${openReviews} reviews`} to decide`
}

function NameInput({ session, onDone }: { session: Session; onDone: () => void }) {
  const [name, setName] = useState(session.name ?? '')
  const naming = useNameSession(session.sessionId)
  const isOver = useRef(false)
  const finish = (keep: boolean) => {
    const wanted = name.trim()
    if (isOver.current || naming.isPending) return
    if (!keep || wanted === '' || wanted === session.name) {
      isOver.current = true
      onDone()
      return
    }
    naming.mutate(wanted, { onSuccess: onDone })
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Enter' || event.key === 'Escape') {
      event.preventDefault()
      finish(event.key === 'Enter')
    }
  }
  return (
    <div className="max-w-md">
      <Input
        autoFocus
        aria-label="Name of the session"
        aria-invalid={naming.isError || undefined}
        value={name}
        maxLength={LONGEST_NAME}
        placeholder={session.agentName}
        onChange={event => setName(event.target.value)}
        onFocus={event => event.target.select()}
        onBlur={() => finish(true)}
        onKeyDown={onKeyDown}
      />
      {naming.error && (
        <p role="alert" className="text-bad text-sm">
          {naming.error.message}
        </p>
      )}
    </div>
  )
}

function Participants({ session }: { session: Session }) {
  const people = session.participants
  if (people.length === 0) return null
  const names = people.map(person => person.name).join(', ')
  return (
    <span className="flex shrink-0 items-center gap-1.5 text-muted text-sm max-md:pr-3" title={names}>
      <span className="-space-x-1.5 flex">
        {people.slice(0, MOST_SHOWN).map(person => (
          <Avatar key={person.userId} name={person.name} className="ring-2 ring-canvas" />
        ))}
      </span>
      {people.length > MOST_SHOWN && <span aria-hidden="true">+{people.length - MOST_SHOWN}</span>}
      <span className="sr-only">Taking part: {names}</span>
    </span>
  )
}
