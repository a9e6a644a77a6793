import type { Picture } from './form-context'
import { readingOrder } from './layout-tree'
import { childrenOf, heldBy, isRepeated, itemsOf } from './shapes/repeated'
import type { FormDefinition, Values } from './types'

/** Every image that the form shows, in reading order. */
export function picturesOf(
  form: FormDefinition,
  values: Values,
  isShown: (fieldId: string) => boolean,
): Picture[] {
  const byId = new Map(form.fields.map(field => [field.id, field]))
  return readingOrder(form).flatMap((id): Picture[] => {
    const field = byId.get(id)
    const value = values[id] ?? null
    if (field === undefined || !isShown(id)) return []
    if (field.type === 'image')
      return typeof value === 'string' ? [{ address: value, label: field.label }] : []
    if (!isRepeated(field)) return []
    const images = childrenOf(field).filter(child => child.type === 'image')
    return itemsOf(value).flatMap((item, index) =>
      images.flatMap(child => {
        const address = heldBy(item, child)
        return typeof address === 'string' && address !== ''
          ? [{ address, label: `${field.label} ${index + 1}` }]
          : []
      }),
    )
  })
}
