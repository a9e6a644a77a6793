import { t } from '@lingui/core/macro'
import { Diff, Undo2 } from 'lucide-react'
import { memo, Suspense, useState } from 'react'
import { IconButton } from '@/components/button'
import { Badge } from '@/components/status'
import { Change } from './change'
import { Editor } from './editors'
import { hasOneControl } from './editors/child-editor'
import { FieldFrame } from './field-frame'
import { fieldElementId } from './focus'
import { useForm } from './form-context'
import type { Field, FieldConfig, FieldError, Json } from './types'
import { isRepeated } from './value-types/repeated'
import { isEdited } from './values'

type Props = {
  field: Field
  value: Json
  suggested: Json
  config: FieldConfig
  readOnly: boolean
  errors: readonly FieldError[]
  keyed: boolean
}

/** A field of the form: its editor, whether and how it was edited, and a button that reverts it. */
export const FieldEditor = memo(function FieldEditor({
  field,
  value,
  suggested,
  config,
  readOnly,
  errors,
  keyed,
}: Props) {
  const { idPrefix, change, revert } = useForm()
  const [comparing, setComparing] = useState(false)
  const place = `data.${field.path}`
  const edited = field.type !== 'label' && isEdited(field, value, suggested)
  // An item's errors are shown at the item.
  const own = isRepeated(field) ? errors.filter(error => error.path === place) : errors
  return (
    <FieldFrame
      field={field}
      id={fieldElementId(field.id, idPrefix)}
      place={place}
      errors={own}
      labelsControl={hasOneControl(field, readOnly)}
      isTop
      aside={
        edited && (
          <span className="-my-1.5 flex shrink-0 items-center gap-0.5">
            <Badge tone="accent">{t`Edited`}</Badge>
            <IconButton
              label={comparing ? t`Hide changes` : t`Show changes`}
              size="small"
              icon={<Diff />}
              aria-expanded={comparing}
              onClick={() => setComparing(!comparing)}
            />
            {!readOnly && (
              <IconButton
                label={t`Revert to suggestion`}
                keys="mod+shift+Backspace"
                size="small"
                icon={<Undo2 />}
                onClick={() => revert(field.id)}
              />
            )}
          </span>
        )
      }
      below={edited && comparing && <Change field={field} before={suggested} now={value} config={config} />}
    >
      {attributes => (
        <Suspense fallback={<div data-loading className="h-16 rounded-md bg-sunken" />}>
          <Editor
            field={field}
            value={value}
            suggested={suggested}
            config={config}
            onChange={next => change(field.id, next)}
            readOnly={readOnly}
            attributes={attributes}
            errors={errors}
            place={place}
            keyed={keyed}
          />
        </Suspense>
      )}
    </FieldFrame>
  )
})
