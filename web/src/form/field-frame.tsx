import { t } from '@lingui/core/macro'
import type { ReactNode } from 'react'
import { classes } from '@/lib/classes'
import type { ControlAttributes } from './editor-props'
import { getErrorText } from './error-text'
import type { AnyField, FieldError } from './types'

type Props = {
  field: AnyField
  /** The ID of the element around the field, and the prefix of the IDs inside. */
  id: string
  place: string
  /** The errors of the value itself; an item's errors are shown at the item. */
  errors: readonly FieldError[]
  /** The label belongs to one control, so that clicking it focuses the control. */
  labelsControl: boolean
  hideLabel?: boolean
  /** Shown after the label. */
  aside?: ReactNode
  children: (attributes: ControlAttributes) => ReactNode
  below?: ReactNode
  isTop?: boolean
}

/** A field's label, help, control and errors, connected for screen readers. */
export function FieldFrame({
  field,
  id,
  place,
  errors,
  labelsControl,
  hideLabel,
  aside,
  children,
  below,
  isTop,
}: Props) {
  const control = `${id}-control`
  const described = [field.help && `${id}-help`, errors.length > 0 && `${id}-errors`]
    .filter(Boolean)
    .join(' ')
  const attributes: ControlAttributes = {
    id: control,
    'aria-labelledby': `${id}-label`,
    ...(described && { 'aria-describedby': described }),
    ...(errors.length > 0 && { 'aria-invalid': true }),
  }
  // Only the help text says which format is expected.
  const hideHelp = hideLabel && !errors.some(({ code }) => code === 'pattern_mismatch')
  const label = (
    <>
      {field.label}
      {field.required && (
        <>
          <span aria-hidden="true" className="ms-0.5 text-bad">
            *
          </span>
          <span className="sr-only"> {t`(required)`}</span>
        </>
      )}
    </>
  )
  const look = hideLabel ? 'sr-only' : 'min-w-0 font-medium text-sm [overflow-wrap:anywhere]'
  const named = labelsControl ? (
    <label id={`${id}-label`} dir="auto" htmlFor={control} className={look}>
      {label}
    </label>
  ) : (
    <span id={`${id}-label`} dir="auto" className={look}>
      {label}
    </span>
  )
  return (
    <div
      id={id}
      data-field={isTop ? field.id : undefined}
      data-place={isTop ? undefined : place}
      tabIndex={-1}
      className="relative flex min-w-0 scroll-my-4 flex-col gap-1 outline-none"
    >
      {hideLabel ? (
        named
      ) : (
        <div className="flex min-h-5 items-center gap-2">
          {named}
          {aside}
        </div>
      )}
      {field.help && (
        <p
          id={`${id}-help`}
          dir="auto"
          className={classes('-mt-0.5 mb-0.5 text-muted text-sm', hideHelp && 'sr-only')}
        >
          {field.help}
        </p>
      )}
      <div data-controls className="min-w-0">
        {children(attributes)}
      </div>
      {errors.length > 0 && (
        <div id={`${id}-errors`} className="text-bad text-sm">
          {errors.slice(0, 5).map(error => (
            <p key={`${error.path} ${error.code}`}>{getErrorText(error, field)}</p>
          ))}
        </div>
      )}
      {below}
    </div>
  )
}
