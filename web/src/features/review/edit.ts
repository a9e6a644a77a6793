/** A member's edits to a review: pure functions from one state to the next. */

import type { DraftBody } from '@/api/review'
import {
  applySubmission,
  checkValues,
  editedFields,
  type FieldError,
  type FormDefinition,
  initialValues,
  type Json,
  type JsonObject,
  type Response,
  type Suggestion,
  submissionOf,
  type Values,
} from '@/form'
import { findChangedFields, type LostEdit, type MergedEdit, mergeDraft, mergeEdit } from './merge'

export type Edit = {
  form: FormDefinition
  suggestion: Suggestion
  /** The revision that the values are based on. */
  revision: number
  trigger: boolean
  values: Values
  reason: string
  instructions: string
  /** Fields that the member has changed: their errors are shown. */
  touched: ReadonlySet<string>
  /** Set once the member has tried to decide: from then on all errors are shown. */
  attempted: { response: Response } | null
  /** The service's errors; each is shown until its field changes. */
  serverErrors: readonly FieldError[]
  /** The agent replaced the content during editing. */
  replaced: ReplacedContent | null
  /** It started with a draft of an older revision. */
  oldDraft: { revision: number; kept: string[]; lost: LostEdit[] } | null
}

export type ReplacedContent = {
  /** The previous content and its revision. */
  before: Suggestion
  revision: number
  changed: string[]
} & Omit<MergedEdit, 'values'>

export type Content = {
  form: FormDefinition
  suggestion: Suggestion
  revision: number
  trigger: boolean
}

export function startEdit(content: Content, draft: DraftBody | null): Edit {
  const { form, suggestion, revision, trigger } = content
  const edit: Edit = {
    ...content,
    values: initialValues(form, suggestion),
    reason: draft?.reason ?? '',
    instructions: draft?.instructions ?? '',
    touched: new Set(),
    attempted: null,
    serverErrors: [],
    replaced: null,
    oldDraft: null,
  }
  if (draft === null) return edit
  const data = draft.data as JsonObject
  if (draft.revision === revision) {
    const values = applySubmission(form, suggestion, data)
    return { ...edit, values, touched: new Set(editedFields(form, suggestion, values)) }
  }
  const { values, kept, lost } = mergeDraft(form, suggestion, data, trigger)
  const oldDraft = kept.length + lost.length > 0 ? { revision: draft.revision, kept, lost } : null
  return { ...edit, values, touched: new Set(kept), oldDraft }
}

/** Moves the edits to the content that replaced theirs. */
export function moveEdit(edit: Edit, content: Content): Edit {
  if (content.revision === edit.revision) return { ...edit, suggestion: content.suggestion }
  const { form, suggestion, revision, trigger } = content
  const { values, ...carried } = mergeEdit(edit.form, edit.suggestion, suggestion, edit.values, trigger)
  const earlier = edit.replaced
  const before = earlier?.before ?? edit.suggestion
  return {
    ...edit,
    form,
    suggestion,
    revision,
    trigger,
    values,
    attempted: null,
    serverErrors: [],
    replaced: {
      before,
      revision: earlier?.revision ?? edit.revision,
      changed: findChangedFields(form, before, suggestion),
      ...carried,
      lost: [...(earlier?.lost ?? []), ...carried.lost],
    },
  }
}

export function changeValue(edit: Edit, fieldId: string, value: Json): Edit {
  return {
    ...edit,
    values: { ...edit.values, [fieldId]: value },
    touched: new Set([...edit.touched, fieldId]),
    serverErrors: edit.serverErrors.filter(error => error.fieldId !== fieldId),
  }
}

export const revertValue = (edit: Edit, fieldId: string): Edit =>
  changeValue(edit, fieldId, edit.suggestion.values[fieldId] ?? null)

export const revertAll = (edit: Edit): Edit => ({
  ...edit,
  values: initialValues(edit.form, edit.suggestion),
  touched: new Set(),
  attempted: null,
  serverErrors: [],
})

export const getEditedFields = (edit: Edit): string[] => editedFields(edit.form, edit.suggestion, edit.values)

export const buildSubmission = (edit: Edit): JsonObject =>
  submissionOf(edit.form, edit.suggestion, edit.values)

export const isPristine = (edit: Edit): boolean =>
  edit.reason.trim() === '' &&
  edit.instructions.trim() === '' &&
  Object.keys(buildSubmission(edit)).length === 0

/** The errors that prevent this decision now. */
export const getErrors = (edit: Edit, response: Response): FieldError[] =>
  checkValues(edit.form, edit.suggestion, edit.values, edit.trigger ? null : response)

/** The errors shown at the fields: none at untouched ones until the member tries to decide. */
export function getShownErrors(edit: Edit): FieldError[] {
  const own = getErrors(edit, edit.attempted ? edit.attempted.response : 'approved')
  const visible = own.filter(error => edit.attempted !== null || edit.touched.has(error.fieldId))
  const said = new Set(visible.map(error => error.path))
  return [...visible, ...edit.serverErrors.filter(error => !said.has(error.path))]
}
