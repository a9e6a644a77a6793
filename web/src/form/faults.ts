import type { FieldFault, FormDefinition } from './types'

type ServerFault = { path: string; code: string; message: string }

/** The faults of a refused response, each at its field. Those that are about no field are left out. */
export function faultsFromServer(form: FormDefinition, errors: readonly ServerFault[]): FieldFault[] {
  return errors.flatMap(({ path, code, message }) => {
    const fieldId = fieldAt(form, path)
    return fieldId === null ? [] : [{ fieldId, path, code, message }]
  })
}

/** The faults that are about no field of the form: a wrong `revision`, a property that nothing maps. */
export const faultsBesideFields = (form: FormDefinition, errors: readonly ServerFault[]): ServerFault[] =>
  errors.filter(({ path }) => fieldAt(form, path) === null)

function fieldAt(form: FormDefinition, path: string): string | null {
  // Paths never lie within each other, so at most one field fits.
  return form.fields.find(field => lies(path, `data.${field.path}`))?.id ?? null
}

function lies(path: string, place: string): boolean {
  return path === place || path.startsWith(`${place}.`) || path.startsWith(`${place}[`)
}
