import { Pencil } from 'lucide-react'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { classes } from '@/lib/classes'
import { IconButton } from './button'
import { Input } from './input'

const MAX_NAME_LENGTH = 200

type Props = {
  /** Its title on the page, which may differ from its name. */
  title: string
  name: string | null | undefined
  /** The text of the button and of the field. */
  label: string
  fieldLabel: string
  placeholder?: string
  mayName: boolean
  naming: {
    mutate: (name: string, on: { onSuccess: () => void }) => void
    isPending: boolean
    error: Error | null
  }
  className?: string
}

/** The heading of a page about something that members can name, with a way to rename it. */
export function InlineName({ title, label, mayName, className, ...rest }: Props) {
  const pencil = useRef<HTMLButtonElement>(null)
  const [state, setState] = useState<'shown' | 'naming' | 'named'>('shown')
  useEffect(() => {
    // The field that had focus is gone.
    if (state === 'named') pencil.current?.focus()
  }, [state])
  if (state === 'naming')
    return (
      <>
        <h1 className="sr-only">{title}</h1>
        <NameInput {...rest} onDone={hadFocus => setState(hadFocus ? 'named' : 'shown')} />
      </>
    )
  return (
    <div className="flex min-w-0 items-center gap-1">
      <h1 dir="auto" className={classes('min-w-0 font-semibold', className)} title={title}>
        {title}
      </h1>
      {mayName && (
        <IconButton
          ref={pencil}
          label={label}
          icon={<Pencil />}
          size="small"
          onClick={() => setState('naming')}
        />
      )}
    </div>
  )
}

type NameInputProps = Pick<Props, 'name' | 'fieldLabel' | 'placeholder' | 'naming'> & {
  onDone: (hadFocus: boolean) => void
}

/** Enter and blur save the name; Escape doesn't. */
function NameInput({ name: former, fieldLabel, placeholder, naming, onDone }: NameInputProps) {
  const [name, setName] = useState(former ?? '')
  const input = useRef<HTMLInputElement>(null)
  const isOver = useRef(false)
  const leave = () => {
    isOver.current = true
    onDone(document.activeElement === input.current)
  }
  const finish = (keep: boolean) => {
    const wanted = name.trim()
    if (isOver.current || naming.isPending) return
    if (!keep || wanted === '' || wanted === former) leave()
    else naming.mutate(wanted, { onSuccess: leave })
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
        ref={input}
        autoFocus
        aria-label={fieldLabel}
        aria-invalid={naming.error !== null || undefined}
        value={name}
        maxLength={MAX_NAME_LENGTH}
        placeholder={placeholder}
        enterKeyHint="done"
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
