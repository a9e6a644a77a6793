import { Input } from '@/components/input'
import { moment } from '@/lib/time'
import { type EditorProps, textOf } from '../editor-props'
import { momentOf } from '../shapes/moments'
import type { DatetimeField } from '../types'
import { fromWallClock, wallClock } from '../wall-clock'
import { EmptyValue } from './empty-value'

/** A moment by the clocks of the person who reads it; the text itself where it is none. */
export function localTime(text: string): string {
  const read = momentOf(text)
  return read === null ? text : moment(read.milliseconds)
}

export function DatetimeEditor({
  field,
  value,
  suggested,
  onChange,
  readOnly,
  ties,
  compact,
}: EditorProps<DatetimeField>) {
  const text = textOf(value)
  const clock = wallClock(text)
  const zone = clock === null ? '' : zoneName(clock.zone)
  if (readOnly) {
    if (text === '') return <EmptyValue />
    return (
      <time dateTime={text}>
        {localTime(text)} <span className="text-muted text-sm">your time ({text})</span>
      </time>
    )
  }
  const like = wallClock(textOf(suggested)) === null ? text : textOf(suggested)
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <Input
        {...ties}
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
          {zone}
          {!compact && `, ${localTime(text)} your time`}
        </span>
      )}
    </div>
  )
}

const zoneName = (zone: string): string => (zone === '' || zone === 'Z' ? 'UTC' : `UTC${zone}`)
