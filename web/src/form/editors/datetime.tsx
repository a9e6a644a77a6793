import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Input } from '@/components/input'
import { formatLocalTime } from '../dates'
import { type EditorProps, toText } from '../editor-props'
import type { FieldOf } from '../types'
import { fromWallClock, toWallClock } from '../wall-clock'
import { EmptyValue } from './empty-value'

export function DatetimeEditor({
  field,
  value,
  suggested,
  onChange,
  readOnly,
  attributes,
  compact,
}: EditorProps<FieldOf<'datetime'>>) {
  const text = toText(value)
  const clock = toWallClock(text)
  const zone = clock === null ? '' : getZoneName(clock.zone)
  if (readOnly) {
    if (text === '') return <EmptyValue />
    const date = <bdi>{formatLocalTime(text)}</bdi>
    const original = <bdi>{text}</bdi>
    return (
      <time dateTime={text}>
        <Trans>
          {date} <span className="text-muted text-sm">your time ({original})</span>
        </Trans>
      </time>
    )
  }
  const like = toWallClock(toText(suggested)) === null ? text : toText(suggested)
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <Input
        {...attributes}
        type="datetime-local"
        value={clock?.wall ?? ''}
        step={clock !== null && clock.wall.length > 16 ? 1 : undefined}
        max="9999-12-31T23:59"
        required={field.required}
        className={compact ? 'min-w-52' : 'max-w-64'}
        onChange={event => onChange(fromWallClock(event.target.value, like))}
      />
      {text !== '' && (
        <span className="text-muted text-sm">
          {compact ? zone : t`${zone} (${{ date: formatLocalTime(text) }} your time)`}
        </span>
      )}
    </div>
  )
}

const getZoneName = (zone: string): string => (zone === '' || zone === 'Z' ? 'UTC' : `UTC${zone}`)
