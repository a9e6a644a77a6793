import { plural, t } from '@lingui/core/macro'
import { Paperclip, RotateCw, SendHorizontal, X } from 'lucide-react'
import {
  type ClipboardEvent,
  type DragEvent,
  type KeyboardEvent,
  type RefObject,
  useId,
  useRef,
  useState,
} from 'react'
import type { AttachedFile } from '@/api/outgoing-messages'
import { sendTyping } from '@/api/sessions'
import { IconButton } from '@/components/button'
import { getLocation, getOwnUrl } from '@/form/media-source'
import { classes } from '@/lib/classes'
import { formatList, formatNumber, formatPercent } from '@/lib/i18n'
import type { ChatDraft } from './drafts'
import { formatFileSize } from './names'
import { hasHardwareKeyboard } from './use-screen-keyboard'
import { MAX_ATTACHMENTS, type Upload, useUploads } from './use-uploads'

const MAX_TEXT_LENGTH = 32_000
/** The counter appears when little room is left. */
const NEARLY_FULL = 31_000
const TYPING_INTERVAL = 3_000

type Props = {
  draft: ChatDraft
  onDraft: (step: (draft: ChatDraft) => ChatDraft) => void
  onSend: (draft: ChatDraft) => void
  /** Absent if there is no session to type in yet. */
  sessionId?: string
  agentName: string
  input: RefObject<HTMLTextAreaElement | null>
  /** Moves focus out of the box. */
  onLeave: () => void
  busy?: boolean
}

/** The message box: text, images and videos. Enter sends. */
export function Composer({ draft, onDraft, onSend, sessionId, agentName, input, onLeave, busy }: Props) {
  const hint = useId()
  const picker = useRef<HTMLInputElement>(null)
  const typedAt = useRef(0)
  const [isOver, setOver] = useState(false)
  const { uploads, missing, add, remove, retry } = useUploads(sessionId ?? `new ${agentName}`, attached =>
    onDraft(now => ({ ...now, attachments: [...now.attachments, attached] })),
  )
  const [said, say] = useState(missing.length > 0 ? getCanceledText(missing) : '')
  const isUploading = uploads.some(each => each.state === 'uploading')
  const isEmpty = draft.text.trim() === '' && draft.attachments.length === 0
  const isTooLong = draft.text.length > MAX_TEXT_LENGTH

  const attach = (files: readonly File[]) => {
    const room = MAX_ATTACHMENTS - draft.attachments.length - uploads.length
    say(
      files.length > room
        ? t`You can attach up to ${{ max: formatNumber(MAX_ATTACHMENTS) }} files per message.`
        : '',
    )
    add(files.slice(0, Math.max(0, room)))
  }
  const send = () => {
    if (isUploading) say(t`Wait for the upload to finish before you send.`)
    else if (uploads.length > 0) say(t`Couldn't upload a file. Try again or remove it.`)
    else if (isTooLong) say(t`Messages can have up to ${{ max: formatNumber(MAX_TEXT_LENGTH) }} characters.`)
    else if (!isEmpty && !busy) {
      say('')
      typedAt.current = 0
      onSend({ ...draft, text: draft.text.trim() })
      // The button that was clicked is disabled now and would lose focus.
      if (document.activeElement !== input.current && hasHardwareKeyboard()) input.current?.focus()
    }
  }
  const type = (text: string) => {
    onDraft(now => ({ ...now, text }))
    if (said) say('')
    if (sessionId === undefined || text === '' || Date.now() - typedAt.current < TYPING_INTERVAL) return
    typedAt.current = Date.now()
    void sendTyping(sessionId)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    // Enter that ends an IME composition doesn't send.
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Enter' && !event.shiftKey && !event.altKey) {
      event.preventDefault()
      send()
    } else if (event.key === 'Escape') {
      event.preventDefault()
      onLeave()
    }
  }
  const onPaste = (event: ClipboardEvent) => {
    const files = [...event.clipboardData.files]
    // Text copied from a document comes with an image of itself.
    if (files.length === 0 || event.clipboardData.types.includes('text/plain')) return
    event.preventDefault()
    attach(files)
  }
  const onDrop = (event: DragEvent) => {
    setOver(false)
    if (event.dataTransfer.files.length === 0) return
    event.preventDefault()
    attach([...event.dataTransfer.files])
  }
  const onDragOver = (event: DragEvent) => {
    if (!event.dataTransfer.types.includes('Files')) return
    event.preventDefault()
    setOver(true)
  }

  return (
    // biome-ignore lint/a11y/noNoninteractiveElementInteractions: the button does the same.
    // biome-ignore lint/a11y/noStaticElementInteractions: files can be dropped here; the button does the same.
    <div
      onDrop={onDrop}
      onDragOver={onDragOver}
      onDragLeave={() => setOver(false)}
      className="mx-auto w-full max-w-4xl px-4 pb-[max(0.75rem,env(safe-area-inset-bottom))] max-md:px-2 md:px-6"
    >
      <div
        className={classes(
          'rounded-lg border focus-within:border-accent',
          isOver ? 'border-accent bg-accent-soft' : 'border-line-strong/60 bg-surface',
        )}
      >
        {(draft.attachments.length > 0 || uploads.length > 0) && (
          <ul aria-label={t`Attachments`} className="flex flex-wrap gap-2 px-2 pt-2">
            {draft.attachments.map((attached, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the same file may be attached twice.
              <li key={`${attached.url} ${index}`} className={classes(CHIP, 'border-line')}>
                <Thumbnail attached={attached} />
                <span dir="auto" className="min-w-0 truncate">
                  {attached.name}
                </span>
                <span className="text-muted text-xs">{formatFileSize(attached.size)}</span>
                <Remove
                  name={attached.name}
                  onClick={() =>
                    onDraft(now => ({ ...now, attachments: now.attachments.filter((_, at) => at !== index) }))
                  }
                />
              </li>
            ))}
            {uploads.map(upload => (
              <UploadChip
                key={upload.id}
                upload={upload}
                onRetry={() => retry(upload)}
                onRemove={() => remove(upload.id)}
              />
            ))}
          </ul>
        )}
        <div className="flex items-end gap-1 p-1">
          <IconButton
            label={t`Attach images or videos`}
            icon={<Paperclip />}
            disabled={busy}
            onClick={() => picker.current?.click()}
          />
          <input
            ref={picker}
            type="file"
            accept="image/*,video/*"
            multiple
            hidden
            aria-label={t`Attach images or videos`}
            onChange={event => {
              attach([...(event.target.files ?? [])])
              event.target.value = ''
              input.current?.focus()
            }}
          />
          <textarea
            ref={input}
            rows={1}
            dir="auto"
            value={draft.text}
            readOnly={busy}
            aria-label={t`Message ${agentName}`}
            aria-describedby={hint}
            placeholder={t`Message ${agentName}`}
            enterKeyHint="send"
            onChange={event => type(event.target.value)}
            onKeyDown={onKeyDown}
            onPaste={onPaste}
            className="field-sizing-content max-h-[min(40dvh,20rem)] min-h-8 flex-1 resize-none bg-transparent px-1 py-1.5 leading-5 outline-none pointer-coarse:min-h-11 pointer-coarse:py-2.5"
          />
          <IconButton
            label={t`Send`}
            keys="Enter"
            kind="primary"
            icon={<SendHorizontal />}
            // Not disabled for what can be fixed: pressing it says what's wrong.
            disabled={isEmpty && uploads.length === 0}
            busy={busy}
            onClick={send}
          />
        </div>
      </div>
      <p id={hint} className="sr-only">
        {t`Press Enter to send, Shift+Enter for a new line.`}
      </p>
      <p role="alert" className={said ? 'px-1 pt-1 text-bad text-sm' : 'sr-only'}>
        {said}
      </p>
      {draft.text.length > NEARLY_FULL && (
        <p className={classes('px-1 pt-1 text-sm', isTooLong ? 'text-bad' : 'text-muted')}>
          {t`${{ count: formatNumber(draft.text.length) }} of ${{ max: formatNumber(MAX_TEXT_LENGTH) }} characters`}
        </p>
      )}
    </div>
  )
}

/** Shown to a member who left during an upload and came back. */
function getCanceledText(missing: readonly string[]): string {
  const names = formatList(missing)
  return t`${plural(
    { count: missing.length },
    {
      one: `You left the page, so this upload was canceled: ${names}. Attach it again.`,
      other: `You left the page, so these uploads were canceled: ${names}. Attach them again.`,
    },
  )}`
}

const CHIP =
  'relative flex h-8 max-w-full items-center gap-2 overflow-hidden rounded-md border bg-canvas ps-2 text-sm pointer-coarse:min-h-11'

function UploadChip({
  upload,
  onRetry,
  onRemove,
}: {
  upload: Upload
  onRetry: () => void
  onRemove: () => void
}) {
  const hasFailed = upload.state === 'failed'
  return (
    <li className={classes(CHIP, hasFailed ? 'border-bad text-bad' : 'border-line')}>
      {!hasFailed && (
        <progress
          value={upload.part}
          aria-label={t`Uploading ${{ name: upload.name }}`}
          className="absolute inset-x-0 bottom-0 h-0.5 w-full appearance-none [&::-moz-progress-bar]:bg-accent [&::-webkit-progress-bar]:bg-transparent [&::-webkit-progress-value]:bg-accent"
        />
      )}
      <span dir="auto" className="min-w-0 truncate">
        {upload.name}
      </span>
      <span
        className={classes('min-w-0 truncate text-xs', hasFailed ? 'text-bad' : 'text-muted')}
        role={hasFailed ? 'alert' : undefined}
      >
        {hasFailed ? upload.error : formatPercent(upload.part)}
      </span>
      {hasFailed && (
        <IconButton
          label={t`Try uploading ${{ name: upload.name }} again`}
          icon={<RotateCw />}
          size="small"
          onClick={onRetry}
        />
      )}
      <Remove name={upload.name} onClick={onRemove} />
    </li>
  )
}

function Thumbnail({ attached }: { attached: AttachedFile }) {
  // A draft comes from the browser's storage, so its URLs are no more trustworthy than those of a message.
  const source = getOwnUrl(attached.url, {}, getLocation())
  if (source === null || !attached.contentType.startsWith('image/')) return null
  return <img src={source} alt="" className="-ms-1 size-6 rounded object-cover" />
}

function Remove({ name, onClick }: { name: string; onClick: () => void }) {
  return (
    <button
      type="button"
      aria-label={t`Remove ${name}`}
      onClick={onClick}
      className="grid h-full w-7 shrink-0 place-items-center text-muted hover:text-ink pointer-coarse:min-w-11"
    >
      <X className="icon-small" />
    </button>
  )
}
