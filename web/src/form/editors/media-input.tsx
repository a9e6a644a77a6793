import { Upload } from 'lucide-react'
import { type DragEvent, useRef, useState } from 'react'
import { Button } from '@/components/button'
import { Input } from '@/components/input'
import { classes } from '@/lib/classes'
import type { Ties } from '../editor-props'
import { useForm } from '../form-context'

type Props = {
  address: string
  onChange: (address: string | null) => void
  ties: Ties
  /** What a file chooser offers; nothing can be uploaded for what is not kept here. */
  accept?: string
  required: boolean
}

/** Another image or video: by its address, or as a file that is chosen, dropped or pasted. */
export function MediaInput({ address, onChange, ties, accept, required }: Props) {
  const { uploads } = useForm()
  const chooser = useRef<HTMLInputElement>(null)
  const [busy, setBusy] = useState(false)
  const [over, setOver] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const takes = uploads !== undefined && accept !== undefined
  const take = async (file: File | undefined) => {
    if (file === undefined || uploads === undefined) return
    setBusy(true)
    setProblem(null)
    try {
      onChange(await uploads(file))
    } catch (error) {
      setProblem(error instanceof Error ? error.message : 'The file could not be uploaded.')
    } finally {
      setBusy(false)
    }
  }
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    void take(event.dataTransfer.files[0])
  }
  return (
    <div
      className={classes(
        'flex flex-wrap items-center gap-2 rounded-md',
        over && 'outline-2 outline-accent outline-dashed',
      )}
      {...(takes && {
        onDragOver: (event: DragEvent) => {
          event.preventDefault()
          setOver(true)
        },
        onDragLeave: () => setOver(false),
        onDrop: drop,
      })}
    >
      <Input
        {...ties}
        type="text"
        inputMode="url"
        autoComplete="off"
        spellCheck={false}
        placeholder="https://"
        value={address}
        required={required}
        className="flex-1 basis-56"
        onChange={event => onChange(event.target.value.trim() || null)}
        onPaste={event => {
          const file = event.clipboardData.files[0]
          if (!takes || file === undefined) return
          event.preventDefault()
          void take(file)
        }}
      />
      {takes && (
        <>
          <input
            ref={chooser}
            type="file"
            accept={accept}
            hidden
            onChange={event => {
              void take(event.target.files?.[0])
              event.target.value = ''
            }}
          />
          <Button
            busy={busy}
            icon={<Upload size={14} />}
            className="max-md:h-11"
            onClick={() => chooser.current?.click()}
          >
            {busy ? 'Uploading…' : 'Upload'}
          </Button>
        </>
      )}
      {problem !== null && (
        <p role="alert" className="basis-full text-bad text-sm">
          {problem}
        </p>
      )}
    </div>
  )
}
