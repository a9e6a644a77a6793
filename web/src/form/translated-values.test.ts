/** Values are the same in every language. */

import { describe, expect, it } from 'vitest'
import { localizeDefinition } from '@/api/forms/localize'
import { formatValue } from './format-value'
import type { FormDefinition, JsonObject, Suggestion } from './types'
import { applySubmission, checkValues, getEditedFields, getResponseValues, getSubmission } from './values'

const options = [
  { id: 'mail', label: 'Email' },
  { id: 'blog', label: 'Blog' },
]
const english: FormDefinition = {
  formId: 'frm_1',
  version: 1,
  name: 'Post',
  titleField: null,
  width: 'medium',
  fields: [
    {
      id: 'channels',
      type: 'checkboxes',
      label: 'Channels',
      path: 'channels',
      required: true,
      editable: true,
      options,
    },
    {
      id: 'channel',
      type: 'dropdown',
      label: 'Channel',
      path: 'channel',
      required: false,
      editable: true,
      multiple: false,
      options,
    },
  ],
  rules: [],
}
const texts = { options: { mail: { label: 'E-Mail' }, blog: { label: 'Blogbeitrag' } } }
const german = localizeDefinition(
  { ...english, translations: { de: { fields: { channels: texts, channel: texts } } } },
  'de',
)
const suggestion: Suggestion = {
  values: { channels: [{ id: 'mail', label: 'Email' }], channel: 'mail' },
  responseValues: {},
}
const [channels] = german.fields

describe('a translated review type', () => {
  it('shows the options in the language', () =>
    expect(channels && formatValue(channels, suggestion.values.channels ?? null)).toBe('E-Mail'))

  it.each<JsonObject>([
    { channels: ['blog', 'mail'] },
    { channels: [], channel: 'blog' },
    { channels: [{ id: 'mail', label: 'Email' }] },
    {},
  ])('reads, submits and returns %j as the original does', data => {
    const [before, now] = [english, german].map(form => {
      const values = applySubmission(form, suggestion, data)
      return {
        values,
        edited: getEditedFields(form, suggestion, values),
        submitted: getSubmission(form, suggestion, values),
        returned: getResponseValues(form, suggestion, values),
        errors: checkValues(form, suggestion, values, 'approved'),
      }
    })
    expect(now).toEqual(before)
  })

  it('shows the options that a request sent as it sent them', () =>
    expect(
      channels &&
        formatValue(channels, [{ id: 'mail', label: 'Letter' }], {
          options: [{ id: 'mail', label: 'Letter' }],
        }),
    ).toBe('Letter'))
})
