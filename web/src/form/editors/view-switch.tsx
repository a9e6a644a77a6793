import { t } from '@lingui/core/macro'
import { Segments } from '@/components/segments'

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
    <Segments
      label={t`View mode for ${label}`}
      options={[
        { id: 'read', label: t({ message: 'Preview', context: 'noun, view of a text' }) },
        { id: 'write', label: t({ message: 'Edit', context: 'verb, button' }) },
      ]}
      value={view}
      onChange={onChange}
    />
  )
}
