import { t } from '@lingui/core/macro'
import { classes } from '@/lib/classes'

type Props<View extends string> = {
  label: string
  views: readonly { id: View; label: string; opensEditor?: boolean }[]
  view: View
  onChange: (view: View) => void
}

/** A text as rendered, or as edited. */
export function EditOrPreview({
  of: label,
  view,
  onChange,
}: {
  /** The field's label. */
  of: string
  view: 'read' | 'write'
  onChange: (view: 'read' | 'write') => void
}) {
  return (
    <ViewSwitch
      label={t`View mode for ${label}`}
      views={[
        { id: 'read', label: t({ message: 'Preview', context: 'noun, view of a text' }) },
        { id: 'write', label: t({ message: 'Edit', context: 'verb, button' }), opensEditor: true },
      ]}
      view={view}
      onChange={onChange}
    />
  )
}

/** A switch between two views of the same value. */
function ViewSwitch<View extends string>({ label, views, view, onChange }: Props<View>) {
  return (
    <fieldset aria-label={label} className="inline-flex self-start rounded-md bg-sunken p-0.5">
      {views.map(each => (
        <button
          key={each.id}
          type="button"
          aria-pressed={each.id === view}
          // Moving focus to this field to edit it clicks this button first.
          data-opens-editor={each.opensEditor && each.id !== view ? true : undefined}
          className={classes(
            'h-6 rounded px-2 font-medium text-sm pointer-coarse:min-h-10 pointer-coarse:px-4',
            each.id === view ? 'bg-surface text-ink shadow-xs' : 'text-muted hover:text-ink',
          )}
          onClick={() => onChange(each.id)}
        >
          {each.label}
        </button>
      ))}
    </fieldset>
  )
}
