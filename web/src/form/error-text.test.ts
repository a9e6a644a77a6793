import { describe, expect, it } from 'vitest'
import { getErrorText, getFormErrorText } from './error-text'
import type { AnyField, FieldError, FormDefinition, JsonObject, Response, Suggestion } from './types'
import { applySubmission, checkValues } from './values'
import { readVectors } from './vectors'

type Case = { definition: string; suggestion: Suggestion; submitted: JsonObject; response: Response }

const vectors = readVectors('checks') as { definitions: Record<string, FormDefinition>; cases: Case[] }

const said = (field: object, code: string, rest: Partial<FieldError> = {}) =>
  getErrorText({ fieldId: 'f', path: 'data.f', code, ...rest }, field as AnyField)

describe('what is wrong with a value', () => {
  it('is a sentence for people, whatever the field', () => {
    for (const each of vectors.cases) {
      const form = vectors.definitions[each.definition] as FormDefinition
      const values = applySubmission(form, each.suggestion, each.submitted)
      for (const error of checkValues(form, each.suggestion, values, each.response).slice(0, 20)) {
        const text = getFormErrorText(form, error)
        expect(text, `${each.definition}: ${error.code}`).toMatch(/^(“.*”|[A-Z]).*\.$/)
        expect(text).not.toMatch(/null|undefined|NaN|\bID\b|object|string|array|must/)
        expect(text).not.toBe("This value isn't valid.")
      }
    }
  })

  it.each([
    [{ type: 'text', minLength: 1 }, 'too_short', 'Enter at least 1 character.'],
    [{ type: 'text', maxLength: 12_000 }, 'too_long', 'Use at most 12,000 characters.'],
    [{ type: 'text', pattern: 'x', maxLength: 12_000 }, 'too_long', 'Use at most 2,000 characters.'],
    [{ type: 'number', min: 0.00025 }, 'too_small', 'Enter 0.00025 or more.'],
    [{ type: 'rating', max: 5 }, 'too_small', 'Enter 1 or more.'],
    [{ type: 'number', max: 1_000 }, 'too_large', 'Enter 1,000 or less.'],
    [{ type: 'date', min: '2026-03-01' }, 'too_small', 'Choose March 1, 2026 or later.'],
    [{ type: 'date', max: '0099-03-01' }, 'too_large', 'Choose March 1, 99 or earlier.'],
    [{ type: 'image' }, 'too_large', 'This file is too large.'],
    [{ type: 'dropdown', multiple: true, minSelected: 2 }, 'too_few_items', 'Choose at least 2.'],
    [{ type: 'checkboxes' }, 'too_many_items', 'Choose up to 1,000.'],
    [{ type: 'table', minItems: 1 }, 'too_few_items', 'Add at least 1 item.'],
    [{ type: 'list', maxItems: 3 }, 'too_many_items', 'Use at most 3 items.'],
    [{ type: 'number' }, 'wrong_type', 'Enter a number, such as 1,234.5.'],
    [{ type: 'list' }, 'wrong_type', 'This value has the wrong type.'],
  ])('%j %s: %s', (field, code, text) => expect(said(field, code)).toBe(text))

  it('goes by the field within an item', () => {
    const number = { id: 'n', type: 'number', label: 'N', max: 5 }
    const list = (...item: object[]) =>
      ({ fields: [{ id: 'f', type: 'list', path: 'a.f', maxItems: 2, item }] }) as unknown as FormDefinition
    const at = (form: FormDefinition, path: string, code: string) =>
      getFormErrorText(form, { fieldId: 'f', path: `data.a.f${path}`, code })
    expect(at(list(number), '', 'too_many_items')).toBe('Use at most 2 items.')
    expect(at(list(number), '[0]', 'too_large')).toBe('Enter 5 or less.')
    expect(at(list(number, { ...number, id: 'm', max: 6 }), '[11].m', 'too_large')).toBe('Enter 6 or less.')
    expect(at(list(number, { ...number, id: 'm' }), '[0]', 'wrong_type')).toBe(
      'This value has the wrong type.',
    )
    expect(at({ ...list(number), fields: [] }, '', 'required')).toBeUndefined()
  })

  it('names the option that there is none of', () => {
    expect(said({ type: 'dropdown' }, 'unknown_option', { option: 'fax' })).toBe("“fax” isn't an option.")
    expect(said({ type: 'dropdown' }, 'unknown_option')).toBe('Choose one of the options.')
  })

  it("is what the server says where the page doesn't know better", () => {
    const message = 'is not what it was'
    expect(said({ type: 'text' }, 'of_another_version', { message })).toBe('Is not what it was.')
    expect(said({ type: 'number' }, 'too_small', { message })).toBe('Is not what it was.')
    expect(said({ type: 'text' }, 'required', { message })).toBe('This field is required.')
  })
})
