import { formatNumber } from '@/lib/i18n'
import type { Picture } from './form-context'
import { getReadingOrder } from './layout-tree'
import type { FormDefinition, Values } from './types'
import { getChildFields, getChildValue, getItems, isRepeated } from './value-types/repeated'

type ShownMedia = Picture & { kind: 'image' | 'video' }

/** Every image that the form shows, in reading order. */
export const getPictures = (
  form: FormDefinition,
  values: Values,
  isShown: (fieldId: string) => boolean,
): Picture[] =>
  getShownMedia(form, values, isShown).flatMap(({ kind, ...picture }) => (kind === 'image' ? [picture] : []))

/** Every image and video that the form shows, in reading order. */
export function getShownMedia(
  form: FormDefinition,
  values: Values,
  isShown: (fieldId: string) => boolean,
): ShownMedia[] {
  const byId = new Map(form.fields.map(field => [field.id, field]))
  return getReadingOrder(form).flatMap((id): ShownMedia[] => {
    const field = byId.get(id)
    const value = values[id] ?? null
    if (field === undefined || !isShown(id)) return []
    if (field.type === 'image' || field.type === 'video')
      return typeof value === 'string' && value !== ''
        ? [{ kind: field.type, address: value, label: field.label }]
        : []
    if (!isRepeated(field)) return []
    const children = getChildFields(field)
    return getItems(value).flatMap((item, index) =>
      children.flatMap((child): ShownMedia[] => {
        if (child.type !== 'image' && child.type !== 'video') return []
        const address = getChildValue(item, child)
        return typeof address === 'string' && address !== ''
          ? [{ kind: child.type, address, label: `${field.label} ${formatNumber(index + 1)}` }]
          : []
      }),
    )
  })
}
