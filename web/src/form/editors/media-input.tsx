import { t } from '@lingui/core/macro'
import { Upload } from 'lucide-react'
import { type DragEvent, useRef, useState } from 'react'
import { Button } from '@/components/button'
import { Input } from '@/components/input'
import { classes } from '@/lib/classes'
import type { ControlAttributes } from '../editor-props'
import { useForm } from '../form-context'
import { useUpload } from '../uploads'

type Props = {
  address: string
  onChange: (address: string | null) => void
  attributes: ControlAttributes
  /** The file types for the file chooser; undefined if files can't be uploaded here. */
  accept?: string
  required: boolean
}

/** Replaces an image or video: by its URL, or with a chosen, dropped or pasted file. */
export function MediaInput({ address, onChange, attributes, accept, required }: Props) {
  const { uploads } = useForm()
  const chooser = useRef<HTMLInputElement>(null)
  const [over, setOver] = useState(false)
  const [started, upload] = useUpload(attributes.id)
  const busy = upload?.error === null
  const problem = upload?.error ?? null
  const takes = uploads !== undefined && accept !== undefined
  const take = async (file: File | undefined) => {
    if (file === undefined || uploads === undefined) return
    await started.start(attributes.id, file, uploads, onChange)
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
        {...attributes}
        type="text"
        inputMode="url"
        autoComplete="off"
        spellCheck={false}
        placeholder="https://"
        value={address}
        required={required}
        className="flex-1 basis-56"
        onChange={event => {
          started.drop(attributes.id)
          onChange(event.target.value.trim() || null)
        }}
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
          <Button busy={busy} icon={<Upload />} onClick={() => chooser.current?.click()}>
            {busy ? t`Uploading…` : t({ message: 'Upload', context: 'verb, button' })}
          </Button>
        </>
      )}
      {problem !== null && (
        <p role="alert" className="basis-full text-bad text-sm">
          {problem || t`Couldn't upload the file. Try again.`}
        </p>
      )}
    </div>
  )
}
