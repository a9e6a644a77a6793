import { classes } from '@/lib/classes'

/** A choice between a few options, side by side. */
export function Segments<T extends string>({
  label,
  options,
  value,
  onChange,
}: {
  label: string
  /** `detail`: shown in muted text after the label. */
  options: readonly { id: T; label: string; detail?: string }[]
  value: T
  onChange: (value: T) => void
}) {
  return (
    <fieldset
      aria-label={label}
      className="inline-flex w-fit min-w-0 max-w-full self-start overflow-x-auto rounded-md border border-line bg-sunken p-0.5"
    >
      {options.map(option => (
        <button
          key={option.id}
          type="button"
          aria-pressed={option.id === value}
          data-option={option.id}
          onClick={() => onChange(option.id)}
          className={classes(
            '-outline-offset-2 h-6 shrink-0 whitespace-nowrap rounded px-2.5 text-sm pointer-coarse:min-h-10',
            option.id === value ? 'bg-surface font-medium text-ink shadow-xs' : 'text-muted hover:text-ink',
          )}
        >
          {option.label}
          {option.detail !== undefined && <span className="ms-1.5 text-muted text-xs">{option.detail}</span>}
        </button>
      ))}
    </fieldset>
  )
}
