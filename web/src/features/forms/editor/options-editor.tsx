import { t } from '@lingui/core/macro'
import { ArrowDown, ArrowUp, Plus, X } from 'lucide-react'
import { useId } from 'react'
import { Button, IconButton } from '@/components/button'
import type { Json, Option } from '@/form/types'
import { classes } from '@/lib/classes'
import { formatNumber } from '@/lib/i18n'
import { getOptionLabel } from '../document/field-types'
import { createIdFromLabel, followsLabel, makeUnique } from '../document/identifiers'

const SMALL = classes('input input-line px-2 py-0')

/** The options of a choice: the label that people see, and the ID in the result. */
export function OptionsEditor({
  options: given,
  error,
  help,
  onChange,
}: {
  options: Json | undefined
  error: string | null
  help?: string
  onChange: (options: Json | undefined) => void
}) {
  const id = useId()
  const options = (Array.isArray(given) ? given : []) as Option[]
  const write = (next: readonly Option[]) => onChange(next.length > 0 ? [...next] : undefined)
  const change = (index: number, part: Partial<Option>) =>
    write(options.map((option, at) => (at === index ? { ...option, ...part } : option)))
  const relabel = (index: number, label: string) => {
    const option = options[index]
    if (option === undefined) return
    const others = new Set(options.filter((_, at) => at !== index).map(each => each.id))
    const follows = followsLabel(option.id, option.label, { code: 'option', label: getOptionLabel(1) })
    change(index, { label, ...(follows && { id: makeUnique(createIdFromLabel(label, 'option'), others) }) })
  }
  const swap = (index: number, step: 1 | -1) => {
    const next = [...options]
    const [one, other] = [next[index], next[index + step]]
    if (one === undefined || other === undefined) return
    next[index] = other
    next[index + step] = one
    write(next)
  }
  const add = () => {
    const number = options.length + 1
    const id = makeUnique(`option${number}`, new Set(options.map(each => each.id)))
    write([...options, { id, label: getOptionLabel(number) }])
  }
  return (
    <fieldset aria-describedby={help ? `${id}-help` : undefined} className="flex min-w-0 flex-col gap-1.5">
      <legend className="mb-1 font-medium text-sm">{t`Options`}</legend>
      {options.map((option, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: options are edited in place, and so are their IDs
        <div key={index} className="flex min-w-0 items-center gap-1">
          <input
            aria-label={t`Option ${{ number: formatNumber(index + 1) }} label`}
            value={option.label}
            onChange={event => relabel(index, event.target.value)}
            className={classes(SMALL, 'min-w-0 flex-[3]')}
          />
          <input
            aria-label={t`Option ${{ number: formatNumber(index + 1) }} ID`}
            value={option.id}
            spellCheck={false}
            onChange={event => change(index, { id: event.target.value })}
            className={classes(SMALL, 'min-w-0 flex-[2] font-mono text-xs')}
          />
          <IconButton
            size="small"
            label={t`Move option ${{ number: formatNumber(index + 1) }} up`}
            disabled={index === 0}
            icon={<ArrowUp />}
            onClick={() => swap(index, -1)}
            className="w-5"
          />
          <IconButton
            size="small"
            label={t`Move option ${{ number: formatNumber(index + 1) }} down`}
            disabled={index === options.length - 1}
            icon={<ArrowDown />}
            onClick={() => swap(index, 1)}
            className="w-5"
          />
          <IconButton
            size="small"
            label={t`Remove option ${{ number: formatNumber(index + 1) }}`}
            icon={<X />}
            onClick={() => write(options.filter((_, at) => at !== index))}
            className="w-5"
          />
        </div>
      ))}
      <Button size="small" icon={<Plus />} onClick={add} className="w-fit">
        {t`Add option`}
      </Button>
      {help && (
        <p id={`${id}-help`} className="text-muted text-sm">
          {help}
        </p>
      )}
      {error && (
        <p role="alert" className="text-bad text-sm">
          {error}
        </p>
      )}
    </fieldset>
  )
}
