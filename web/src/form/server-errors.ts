import type { FieldError, FormDefinition } from './types'

type ServerError = { path: string; code: string; message: string }

/** The errors of a rejected response, each at its field. Errors that belong to no field are left out. */
export function getFieldErrors(form: FormDefinition, errors: readonly ServerError[]): FieldError[] {
  return errors.flatMap(({ path, code, message }) => {
    const fieldId = findFieldId(form, path)
    return fieldId === null ? [] : [{ fieldId, path, code, message }]
  })
}

/** The errors that belong to no field: a wrong `revision`, a property that no field maps to. */
export const getFormErrors = (form: FormDefinition, errors: readonly ServerError[]): ServerError[] =>
  errors.filter(({ path }) => findFieldId(form, path) === null)

function findFieldId(form: FormDefinition, path: string): string | null {
  // Paths are never nested, so at most one field fits.
  return form.fields.find(field => isWithin(path, `data.${field.path}`))?.id ?? null
}

function isWithin(path: string, place: string): boolean {
  return path === place || path.startsWith(`${place}.`) || path.startsWith(`${place}[`)
}
