import { type ComponentProps, type ReactNode, useId } from 'react'
import { classes } from '@/lib/classes'

export function Input({ className, ...rest }: ComponentProps<'input'>) {
  return <input {...rest} className={classes('input input-line', className)} />
}

export function TextArea({ className, ...rest }: ComponentProps<'textarea'>) {
  return <textarea {...rest} className={classes('input text-area', className)} />
}

/** Without vertical padding, which would cut off the descenders of Arabic letters. */
export function NativeSelect({ className, ...rest }: ComponentProps<'select'>) {
  return <select {...rest} className={classes('input input-line py-0', className)} />
}

type LabeledFieldProps = {
  label: ReactNode
  help?: ReactNode
  error?: string | null
  className?: string
  /** Gets the attributes that connect the control to its label, help and error. */
  children: (attributes: { id: string; 'aria-describedby'?: string; 'aria-invalid'?: true }) => ReactNode
}

/** A control with its label above, and its help and error below. */
export function LabeledField({ label, help, error, className, children }: LabeledFieldProps) {
  const id = useId()
  const described = [help !== undefined && `${id}-help`, error && `${id}-error`].filter(Boolean).join(' ')
  return (
    <div className={classes('flex flex-col gap-1', className)}>
      <label id={`${id}-label`} htmlFor={id} className="font-medium text-sm">
        {label}
      </label>
      {children({
        id,
        ...(described && { 'aria-describedby': described }),
        ...(error && { 'aria-invalid': true }),
      })}
      {help !== undefined && (
        <p id={`${id}-help`} className="text-muted text-sm">
          {help}
        </p>
      )}
      {error && (
        <p id={`${id}-error`} role="alert" className="text-bad text-sm">
          {error}
        </p>
      )}
    </div>
  )
}
