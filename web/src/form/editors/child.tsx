import type { EditorProps } from '../editor-props'
import { FieldFrame } from '../field-frame'
import { useForm } from '../form-context'
import type { ChildField, Json } from '../types'
import { getChildConfig, getChildValue, type RepeatedField, withChildValue } from '../value-types/repeated'
import { ChildEditor, hasOneControl } from './child-editor'

type Props = Pick<EditorProps, 'config' | 'errors' | 'readOnly' | 'compact'> & {
  parent: RepeatedField
  child: ChildField
  item: Json
  /** The agent's value for the item. */
  suggestedItem: Json
  /** The path of the item in errors. */
  place: string
  isKnown: boolean
  hideLabel?: boolean
  onChange: (item: Json) => void
}

/** One child field of an item. */
export function Child({
  parent,
  child,
  item,
  suggestedItem,
  place,
  isKnown,
  errors,
  config,
  readOnly,
  compact,
  hideLabel,
  onChange,
}: Props) {
  const { idPrefix } = useForm()
  const isKeyed = typeof item === 'object' && item !== null
  const own = isKeyed ? `${place}.${child.id}` : place
  const found = errors.filter(error => error.path === own || error.path.startsWith(`${own}[`))
  // The identity of an item can't be changed, but can be filled in for a new item.
  const fixed = readOnly || !(child.editable || (parent.allowAdd && !isKnown))
  return (
    <FieldFrame
      field={child}
      id={`${idPrefix}-${own.replaceAll(/[^A-Za-z0-9_-]+/g, '-')}`}
      place={own}
      errors={found}
      labelsControl={hasOneControl(child, fixed)}
      hideLabel={hideLabel}
    >
      {attributes => {
        const editor = (
          <ChildEditor
            field={child}
            value={getChildValue(item, child)}
            suggested={suggestedItem === null ? null : getChildValue(suggestedItem, child)}
            config={getChildConfig(config, child)}
            onChange={value => onChange(withChildValue(item, child, value))}
            readOnly={fixed}
            attributes={attributes}
            errors={found}
            place={own}
            compact={compact}
          />
        )
        // Aligned with the inputs next to it.
        return fixed && compact ? <div className="flex min-h-8 items-center">{editor}</div> : editor
      }}
    </FieldFrame>
  )
}
