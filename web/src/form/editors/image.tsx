import { type EditorProps, toText } from '../editor-props'
import type { FieldOf } from '../types'
import { EmptyValue } from './empty-value'
import { MediaInput } from './media-input'
import { Picture } from './picture'

export default function ImageEditor({
  field,
  value,
  suggested,
  onChange,
  readOnly,
  attributes,
  place,
  compact,
}: EditorProps<FieldOf<'image'>>) {
  const address = toText(value)
  const size = compact ? 'h-16 w-24' : place.includes('[') ? 'h-40 w-full max-w-xs' : undefined
  return (
    <div className="flex flex-col items-start gap-2">
      {address !== '' && (
        <Picture address={address} label={field.label} isNew={value !== suggested} className={size} />
      )}
      {address === '' && readOnly && <EmptyValue />}
      {!readOnly && (
        <div className="w-full">
          <MediaInput
            address={address}
            onChange={onChange}
            attributes={attributes}
            accept="image/*"
            required={field.required}
          />
        </div>
      )}
    </div>
  )
}
