import { t } from '@lingui/core/macro'
import { ChevronDown, X } from 'lucide-react'
import { Popover } from 'radix-ui'
import { useRef, useState } from 'react'
import { IconButton } from '@/components/button'
import { classes } from '@/lib/classes'
import type { EditorProps } from '../editor-props'
import type { FieldOf } from '../types'
import { getChosenIds, getOptions, isMultiple, toChoiceValue } from '../value-types/choices'
import { ChosenOptions } from './chosen-options'
import { OptionList } from './option-list'

/** A searchable menu of options; with multiple choices, the selected ones are above it. */
export function DropdownEditor(props: EditorProps<FieldOf<'dropdown'>>) {
  const { field, value, suggested, config, onChange, readOnly, attributes, compact } = props
  const [open, setOpen] = useState(false)
  const trigger = useRef<HTMLButtonElement>(null)
  const options = getOptions(field, config) ?? []
  const chosen = getChosenIds(value)
  if (readOnly) return <ChosenOptions options={options} chosen={chosen} />
  const several = isMultiple(field)
  const labels = new Map(options.map(option => [option.id, option.label || option.id]))
  const choose = (ids: readonly string[]) => onChange(toChoiceValue(field, options, ids, suggested))
  const toggle = (id: string) => {
    if (several) {
      choose(chosen.includes(id) ? chosen.filter(each => each !== id) : [...chosen, id])
      return
    }
    choose([id])
    setOpen(false)
  }
  const only = several ? undefined : chosen[0]
  const nothing = several && chosen.length > 0 ? t`Add another…` : t`Choose…`
  return (
    <div className="flex flex-col gap-1.5">
      {several && chosen.length > 0 && (
        <ul className="flex flex-wrap gap-1">
          {chosen.map(id => (
            <li
              key={id}
              className="inline-flex max-w-full items-center rounded bg-accent-soft ps-2 font-medium text-accent text-sm"
            >
              <span dir="auto" className="[overflow-wrap:anywhere]">
                {labels.get(id) ?? id}
              </span>
              <button
                type="button"
                className="flex size-6 shrink-0 items-center justify-center rounded hover:bg-accent/15 pointer-coarse:min-h-11 pointer-coarse:min-w-11"
                aria-label={t`Remove ${{ option: labels.get(id) ?? id }}`}
                onClick={() => {
                  choose(chosen.filter(each => each !== id))
                  trigger.current?.focus()
                }}
              >
                <X className="icon-small" />
              </button>
            </li>
          ))}
        </ul>
      )}
      <Popover.Root open={open} onOpenChange={setOpen}>
        <div className="flex items-center gap-1">
          <Popover.Trigger asChild>
            <button
              {...attributes}
              ref={trigger}
              type="button"
              role="combobox"
              aria-expanded={open}
              aria-controls={open ? `${attributes.id}-options` : undefined}
              aria-haspopup="listbox"
              aria-labelledby={`${attributes['aria-labelledby']} ${attributes.id}-value`}
              className={classes(
                'input input-line flex items-center gap-2 text-start hover:bg-sunken',
                compact ? 'min-w-32' : 'max-w-md',
              )}
            >
              <span
                id={`${attributes.id}-value`}
                dir="auto"
                className={classes('min-w-0 flex-1 truncate', only === undefined && 'text-muted')}
              >
                {only === undefined ? nothing : (labels.get(only) ?? only)}
              </span>
              <ChevronDown className="shrink-0 text-muted" />
            </button>
          </Popover.Trigger>
          {only !== undefined && !field.required && (
            <IconButton
              label={t`Clear selection`}
              size="small"
              icon={<X />}
              onClick={() => {
                choose([])
                trigger.current?.focus()
              }}
            />
          )}
        </div>
        <Popover.Portal>
          <Popover.Content
            align="start"
            sideOffset={4}
            collisionPadding={8}
            aria-labelledby={attributes['aria-labelledby']}
            className="z-50 w-(--radix-popover-trigger-width) min-w-56 rounded-lg bg-raised shadow-float"
          >
            <OptionList
              id={`${attributes.id}-options`}
              label={field.label}
              options={options}
              chosen={chosen}
              multiple={several}
              onToggle={toggle}
            />
          </Popover.Content>
        </Popover.Portal>
      </Popover.Root>
    </div>
  )
}
