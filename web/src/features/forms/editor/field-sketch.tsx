import { plural, t } from '@lingui/core/macro'
import { Star } from 'lucide-react'
import type { ReactNode } from 'react'
import { FIELD_SETTINGS } from '@/api/field-settings'
import { formatNumber, i18n } from '@/lib/i18n'
import { FIELD_TYPES } from '../document/field-types'
import type { EditorField } from '../document/types'
import { TypeIcon } from './type-icons'

const LINE = 'rounded border border-line bg-sunken/60 px-2 py-1 text-muted text-sm'

/** A rough sketch of a field: enough to recognize it, with nothing that could be clicked by mistake. */
export function FieldSketch({ field }: { field: EditorField }) {
  return (
    <div className="pointer-events-none min-w-0 px-3 pb-3">
      {field.help && <p className="mb-1 truncate text-muted text-sm">{field.help}</p>}
      <Control field={field} />
    </div>
  )
}

const STARS = FIELD_SETTINGS.rating.max

type Named = { id: string; label?: string }

function Control({ field }: { field: EditorField }): ReactNode {
  const placeholder = typeof field.placeholder === 'string' && field.placeholder
  switch (field.type) {
    case 'longText':
    case 'markdown':
    case 'richText':
    case 'code':
    case 'json':
      return <div className={`${LINE} min-h-12`}>{placeholder || i18n._(FIELD_TYPES[field.type].about)}</div>
    case 'label':
      return <p className="line-clamp-2 text-muted text-sm">{typeof field.text === 'string' && field.text}</p>
    case 'rating':
      return (
        <div className="flex gap-0.5 text-muted">
          {Array.from(
            { length: typeof field.max === 'number' ? Math.min(field.max, STARS.maximum) : STARS.default },
            (_, star) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: stars are identical
              <Star key={star} />
            ),
          )}
        </div>
      )
    case 'boolean':
      return (
        <Chips
          names={[
            { id: 'yes', label: String(field.trueLabel ?? t`Yes`) },
            { id: 'no', label: String(field.falseLabel ?? t`No`) },
          ]}
        />
      )
    case 'buttons':
    case 'checkboxes':
      return <Chips names={getNames(field.options)} otherwise={t`Each request sends its own options`} />
    case 'dropdown': {
      const count = getNames(field.options).length
      return (
        <div className={LINE}>
          {count > 0
            ? plural(count, { one: '# option', other: '# options' })
            : t`Each request sends its own options`}{' '}
          ▾
        </div>
      )
    }
    case 'list':
      return <Chips names={getNames(field.item)} />
    case 'table':
      return (
        <div className="flex overflow-hidden rounded border border-line text-muted text-sm">
          {getNames(field.columns).map(column => (
            <span
              key={column.id}
              className="min-w-0 flex-1 truncate border-line border-e bg-sunken/60 px-2 py-1 last:border-e-0"
            >
              {column.label || column.id}
            </span>
          ))}
        </div>
      )
    case 'image':
    case 'video':
    case 'audio':
    case 'file':
      return (
        <div className="grid h-14 place-items-center rounded border border-line border-dashed bg-sunken/60 text-muted">
          <TypeIcon kind={field.type} />
        </div>
      )
    default:
      return (
        <div className={`${LINE} truncate`}>
          {placeholder || i18n._(FIELD_TYPES[field.type].about)}
          {typeof field.unit === 'string' && field.unit && ` · ${field.unit}`}
        </div>
      )
  }
}

const getNames = (value: unknown): Named[] =>
  Array.isArray(value) ? value.filter((each): each is Named => typeof each === 'object' && each !== null) : []

function Chips({ names, otherwise }: { names: readonly Named[]; otherwise?: string }) {
  if (names.length === 0) return <p className="text-muted text-sm">{otherwise}</p>
  return (
    <div className="flex flex-wrap gap-1">
      {names.slice(0, 6).map((each, index) => (
        <span
          // biome-ignore lint/suspicious/noArrayIndexKey: an ID may be there twice while it's typed
          key={`${each.id} ${index}`}
          className="max-w-40 truncate rounded border border-line bg-sunken/60 px-2 py-0.5 text-muted text-sm"
        >
          {each.label || each.id}
        </span>
      ))}
      {names.length > 6 && (
        <span className="py-0.5 text-muted text-sm">{t`+${{ count: formatNumber(names.length - 6) }} more`}</span>
      )}
    </div>
  )
}
