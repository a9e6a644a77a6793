/** Moves focus to a field of a form on the page. */

import { getReadingOrder } from './layout-tree'
import type { FieldError, FormDefinition, Suggestion, Values } from './types'
import { getFieldConfig, getHiddenTargets, isCorrectable } from './values'

export const DEFAULT_PREFIX = 'review'

/** The ID of the element around a field. */
export const fieldElementId = (fieldId: string, idPrefix: string = DEFAULT_PREFIX): string =>
  `${idPrefix}-field-${fieldId}`

/** Sent to a field's element with a path, so that collapsed content shows the place. */
export const REVEAL = 'form:reveal'

const CONTROLS =
  'input:not([disabled]):not([type=hidden]),textarea:not([disabled]),select:not([disabled]),[contenteditable=true],button:not([disabled]),[tabindex="0"]'

/** Scrolls to a field and focuses it. False if it isn't on the page. */
export function focusField(fieldId: string, idPrefix?: string): boolean {
  return focusWithin(document.getElementById(fieldElementId(fieldId, idPrefix)))
}

/** The same for the place of an error: an item of a list, a table cell. */
export function focusError(error: FieldError, idPrefix?: string): boolean {
  const field = document.getElementById(fieldElementId(error.fieldId, idPrefix))
  field?.dispatchEvent(new CustomEvent(REVEAL, { detail: error.path }))
  const place = [...(field?.querySelectorAll<HTMLElement>('[data-place]') ?? [])].findLast(element =>
    error.path.startsWith(element.dataset.place ?? '\0'),
  )
  return focusWithin(place ?? field)
}

function focusWithin(element: HTMLElement | null): boolean {
  if (element === null) return false
  const controls = element.querySelector<HTMLElement>('[data-controls]') ?? element
  // A rendered text has to be opened for editing first.
  const opener = controls.querySelector<HTMLElement>('[data-option=write][aria-pressed=false]')
  opener?.click()
  const focus = () => {
    const chosen =
      (opener && controls.querySelector<HTMLElement>('textarea,[contenteditable=true]')) ??
      controls.querySelector<HTMLElement>('input[type=radio]:checked') ??
      controls.querySelector<HTMLElement>(CONTROLS)
    // A heavy editor may still be loading; the field itself gets focus then.
    ;(chosen ?? element).focus({ preventScroll: true })
    element.scrollIntoView({ block: 'nearest' })
  }
  focus()
  if (opener) requestAnimationFrame(focus)
  return true
}

/** The first field in reading order that can be changed now; null if there is none. */
export function firstEditable(
  form: FormDefinition,
  suggestion: Suggestion,
  values: Values,
  trigger = false,
): string | null {
  const hidden = getHiddenTargets(form, suggestion, values)
  const byId = new Map(form.fields.map(field => [field.id, field]))
  return (
    getReadingOrder(form).find(id => {
      const field = byId.get(id)
      if (field === undefined || hidden.has(id) || !Object.hasOwn(suggestion.values, id)) return false
      return isCorrectable(field, suggestion.values[id] ?? null, trigger, getFieldConfig(suggestion, id))
    }) ?? null
  )
}

/** The field that gets an element's keys; null outside of fields, and for a field that has focus itself. */
function fieldAround(element: EventTarget | null): HTMLElement | null {
  if (!(element instanceof HTMLElement)) return null
  const field = element.closest<HTMLElement>('[data-field]')
  return field === element ? null : field
}

/** Escape ends a drag by keyboard first. */
const isDragging = (element: EventTarget | null): boolean =>
  element instanceof Element && element.matches('[data-drag-handle][aria-pressed=true]')

export const isInField = ({ target }: Event): boolean => fieldAround(target) !== null && !isDragging(target)

/** Moves focus from a control to the field around it, where keys are shortcuts again. */
export function focusFieldAround(control: EventTarget | null): void {
  fieldAround(control)?.focus({ preventScroll: true })
}
