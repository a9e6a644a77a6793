import { describe, expect, it } from 'vitest'
import { isObject, isSameJson } from './json'
import type { FormDefinition, Json, JsonObject, Response, ResponseValues, Suggestion } from './types'
import {
  applySubmission,
  checkValues,
  getEditedFields,
  getInitialValues,
  getResponseValues,
  getSubmission,
} from './values'
import { readVectors } from './vectors'

type Case = {
  definition: string
  suggestion: Suggestion
  submitted: JsonObject
  response: Response
  errors: [string, string][]
  responseValues?: ResponseValues
  result?: JsonObject
}

const vectors = readVectors('checks') as { definitions: Record<string, FormDefinition>; cases: Case[] }
// Values that the page can't produce: an object or an empty text instead of a choice, a field that isn't shown.
const canBeSaid = ({ definition, submitted, errors }: Case) => {
  const chosen = /^(buttons|checkboxes|dropdown)/.test(definition) ? submitted.f : undefined
  const isOdd = isObject(chosen) || (chosen === '' && /multiple|checkboxes/.test(definition))
  return !isOdd && !errors.some(([, code]) => code === 'field_not_shown')
}
const named = vectors.cases
  .filter(canBeSaid)
  .map(each => [`${each.definition}: ${JSON.stringify(each.submitted).slice(0, 80)}`, each] as const)
const formOf = (each: Case) => vectors.definitions[each.definition] as FormDefinition

describe('submissions', () => {
  it.each(named)('%s', (_, each) => {
    const form = formOf(each)
    const values = applySubmission(form, each.suggestion, each.submitted)
    const errors = checkValues(form, each.suggestion, values, each.response)
    expect(errors.map(({ path, code }) => [path, code]).slice(0, 500)).toEqual(each.errors)
    if (each.responseValues)
      expect(getResponseValues(form, each.suggestion, values)).toEqual(each.responseValues)
  })

  it.each(named)('survive as a draft: %s', (_, each) => {
    const form = formOf(each)
    const values = applySubmission(form, each.suggestion, each.submitted)
    const draft = JSON.parse(JSON.stringify(getSubmission(form, each.suggestion, values))) as Json
    expect(isSameJson(applySubmission(form, each.suggestion, draft), values)).toBe(true)
  })

  it.each(named.filter(([, each]) => each.result))('show their result: %s', (_, each) => {
    const form = formOf(each)
    const shown = applySubmission(form, each.suggestion, each.result ?? null)
    // An empty selection in the request reads like one that the reviewer made.
    const said = Object.entries(getResponseValues(form, each.suggestion, shown)).filter(
      ([id, { value }]) => id in (each.responseValues ?? {}) || !Array.isArray(value) || value.length > 0,
    )
    expect(Object.fromEntries(said)).toEqual(each.responseValues)
  })
})

describe('an untouched review', () => {
  it.each(named)('is as suggested: %s', (_, each) => {
    const form = formOf(each)
    const values = getInitialValues(form, each.suggestion)
    expect(getEditedFields(form, each.suggestion, values)).toEqual([])
    expect(getSubmission(form, each.suggestion, values)).toEqual({})
    expect(getResponseValues(form, each.suggestion, values)).toEqual(each.suggestion.responseValues)
    expect(checkValues(form, each.suggestion, values, 'rejected')).toEqual([])
  })
})
