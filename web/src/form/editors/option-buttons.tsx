import { Check } from 'lucide-react'
import { ShortcutKeys } from '@/components/shortcut-keys'
import { classes } from '@/lib/classes'
import type { ControlAttributes } from '../editor-props'
import type { Option } from '../types'

type Props = {
  options: readonly Option[]
  chosen: ReadonlySet<string>
  onToggle: (id: string) => void
  multiple: boolean
  /** Clicking a single choice again clears it. */
  clearable: boolean
  required: boolean
  attributes: ControlAttributes
  keyed?: boolean
  /** On one line, in a table cell. */
  compact?: boolean
}

/**
 * Options as buttons, with radio buttons or checkboxes underneath, so that keyboards and screen readers know what they
 * are.
 */
export function OptionButtons({
  options,
  chosen,
  onToggle,
  multiple,
  clearable,
  required,
  attributes,
  keyed,
  compact,
}: Props) {
  const { id, ...group } = attributes
  const marking = multiple ? {} : { 'aria-required': required }
  return (
    <div
      role={multiple ? 'group' : 'radiogroup'}
      {...group}
      {...marking}
      className={classes('flex gap-1.5', compact ? 'w-max' : 'flex-wrap')}
    >
      {options.map((option, index) => {
        const isChosen = chosen.has(option.id)
        return (
          <label
            key={option.id}
            className={classes(
              'relative inline-flex min-h-8 max-w-full cursor-pointer select-none items-center gap-2 rounded-md border px-3 py-1 font-medium transition-colors duration-75 pointer-coarse:min-h-11',
              'has-focus-visible:outline-2 has-focus-visible:outline-accent has-focus-visible:outline-offset-1',
              isChosen
                ? 'border-accent bg-accent-soft text-accent'
                : 'border-line-strong/60 bg-surface text-ink hover:bg-sunken',
            )}
          >
            <input
              type={multiple ? 'checkbox' : 'radio'}
              name={id}
              id={index === 0 ? id : undefined}
              className="absolute inset-0 cursor-pointer opacity-0"
              checked={isChosen}
              onChange={() => !isChosen && onToggle(option.id)}
              // A radio button fires no change event when it's clicked again.
              onClick={() => isChosen && (multiple || clearable) && onToggle(option.id)}
            />
            {isChosen && <Check className="icon-small shrink-0" />}
            <span dir="auto" className="[overflow-wrap:anywhere]">
              {option.label || option.id}
            </span>
            {keyed && index < 9 && (
              <ShortcutKeys keys={String(index + 1)} className="opacity-70 max-md:hidden" />
            )}
          </label>
        )
      })}
    </div>
  )
}
