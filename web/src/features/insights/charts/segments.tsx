import { ToggleGroup } from 'radix-ui'

/** A choice between a few options, side by side. */
export function Segments<T extends string>({
  value,
  onChange,
  options,
  label,
}: {
  value: T
  onChange: (value: T) => void
  options: readonly { id: T; label: string }[]
  label: string
}) {
  return (
    <ToggleGroup.Root
      type="single"
      value={value}
      // Clicking the selected option keeps it selected.
      onValueChange={chosen => chosen && onChange(chosen as T)}
      aria-label={label}
      className="inline-flex rounded-md border border-line bg-sunken p-0.5"
    >
      {options.map(option => (
        <ToggleGroup.Item
          key={option.id}
          value={option.id}
          className="h-6 rounded-[5px] px-2.5 text-muted text-sm hover:text-ink data-[state=on]:bg-surface data-[state=on]:font-medium data-[state=on]:text-ink data-[state=on]:outline data-[state=on]:outline-line pointer-coarse:min-h-10 pointer-coarse:px-3 focus-visible:outline-2 focus-visible:outline-accent"
        >
          {option.label}
        </ToggleGroup.Item>
      ))}
    </ToggleGroup.Root>
  )
}
