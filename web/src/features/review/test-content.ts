/** Content for tests: a small review type and an agent's suggestions. */

import type { FormDefinition, Json, Suggestion } from '@/form'

const text = (id: string, more: object = {}) => ({
  id,
  type: 'text' as const,
  path: `draft.${id}`,
  label: id,
  required: false,
  editable: true,
  ...more,
})

export const form: FormDefinition = {
  formId: 'frm_1',
  version: 1,
  name: 'Newsletter',
  titleField: null,
  width: 'medium',
  rules: [],
  fields: [
    text('headline', { required: true, maxLength: 20 }),
    text('fixed', { editable: false }),
    {
      id: 'score',
      type: 'number',
      path: 'score',
      label: 'Score',
      required: false,
      editable: true,
      integer: false,
    },
    {
      id: 'tone',
      type: 'buttons',
      path: 'tone',
      label: 'Tone',
      required: false,
      editable: true,
      multiple: false,
      options: [
        { id: 'calm', label: 'Calm' },
        { id: 'loud', label: 'Loud' },
      ],
    },
    {
      id: 'tags',
      type: 'checkboxes',
      path: 'tags',
      label: 'Tags',
      required: false,
      editable: true,
      options: [
        { id: 'a', label: 'A' },
        { id: 'b', label: 'B' },
      ],
    },
  ],
}

export const suggestion = (values: Record<string, Json> = {}): Suggestion => ({
  values: { headline: 'Autumn', fixed: 'Same', score: 7, tone: 'calm', tags: null, ...values },
  responseValues: {},
})

export const without = (from: Suggestion, ...ids: string[]): Suggestion => ({
  ...from,
  values: Object.fromEntries(Object.entries(from.values).filter(([id]) => !ids.includes(id))),
})
