import type { FieldError, FormDefinition } from './types'

type ServerError = { path: string; code: string; message: string }

/** The faults of a refused response, each at its field. Those that are about no field are left out. */
export function getFieldErrors(form: FormDefinition, errors: readonly ServerError[]): FieldError[] {
  return errors.flatMap(({ path, code, message }) => {
    const fieldId = findFieldId(form, path)
    return fieldId === null ? [] : [{ fieldId, path, code, message }]
  })
}

/** The faults that are about no field of the form: a wrong `revision`, a property that nothing maps. */
export const getFormErrors = (form: FormDefinition, errors: readonly ServerError[]): ServerError[] =>
  errors.filter(({ path }) => findFieldId(form, path) === null)

function findFieldId(form: FormDefinition, path: string): string | null {
  // Paths never lie within each other, so at most one field fits.
  return form.fields.find(field => isWithin(path, `data.${field.path}`))?.id ?? null
}

function isWithin(path: string, place: string): boolean {
  return path === place || path.startsWith(`${place}.`) || path.startsWith(`${place}[`)
}
