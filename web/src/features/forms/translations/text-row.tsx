import { t } from '@lingui/core/macro'
import { memo, useEffect } from 'react'
import { Input, TextArea } from '@/components/input'
import { focusWanted, textElementId } from '../editor/focus'

/** Marks the inputs that Enter moves between. */
export const TEXT_INPUT = 'data-text-input'

export type TextRowProps = {
  /** The path of the text, which is passed to `onChange`. */
  id: string
  path: string
  /** What the text is: a label, a help text, an option. */
  kind: string
  /** The accessible name of the input. */
  name: string
  language: string
  original: string
  translation: string
  isLong: boolean
  error: string | null
  /** The original that was translated, if it has changed since the last version. */
  was: string | null
  onChange: (id: string, text: string) => void
}

/** An original next to its translation. */
export const TextRow = memo(function TextRow({
  id,
  path,
  kind,
  name,
  language,
  original,
  translation,
  isLong,
  error,
  was,
  onChange,
}: TextRowProps) {
  useEffect(() => focusWanted(path), [path])
  const element = textElementId(path)
  const described = [
    original && `${element}-original`,
    was !== null && `${element}-was`,
    error && `${element}-error`,
  ].filter(Boolean)
  const attributes = {
    id: element,
    [TEXT_INPUT]: '',
    'aria-label': name,
    'aria-describedby': described.join(' ') || undefined,
    'aria-invalid': error ? true : undefined,
    lang: language,
    dir: 'auto',
    autoComplete: 'off',
    placeholder: original,
    value: translation,
  } as const
  return (
    <div className="grid gap-x-6 gap-y-1 px-3 py-2 md:grid-cols-2">
      <div className="min-w-0">
        <p className="text-muted text-xs">{kind}</p>
        <p
          id={`${element}-original`}
          dir="auto"
          className="whitespace-pre-wrap text-sm [overflow-wrap:anywhere]"
        >
          {original || t({ message: '(removed)', comment: 'A text that has a translation but no original' })}
        </p>
      </div>
      <div className="flex min-w-0 flex-col gap-1">
        {isLong ? (
          <TextArea
            {...attributes}
            rows={1}
            className="min-h-8"
            onChange={event => onChange(id, event.target.value)}
          />
        ) : (
          <Input {...attributes} onChange={event => onChange(id, event.target.value)} />
        )}
        {was !== null && (
          <p id={`${element}-was`} className="text-sm text-warn">
            {t`The original text changed. It was “${{ original: was }}”. Check the translation.`}
          </p>
        )}
        {error && (
          <p id={`${element}-error`} role="alert" className="text-bad text-sm">
            {error}
          </p>
        )}
      </div>
    </div>
  )
})
