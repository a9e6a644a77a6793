import { expect, it } from 'vitest'
import { form } from './test-content'
import { formatPath, getLabels } from './value-text'

it('lists the labels of fields, and leaves out what is none', () => {
  expect(getLabels(form, ['score', 'tone', 'tags'])).toBe('Score, Tone, and Tags')
  expect(getLabels(form, ['gone'])).toBe('')
})

it.each([
  ['reason', 'Reason'],
  ['data.extra', 'extra'],
  ['data.rows[2].sku', 'rows › 3 › sku'],
  ['data.rows[0][1]', 'rows › 1 › 2'],
  ['data.a\\.b', 'a.b'],
  ['response', ''],
])('writes the place of an error for people: %s', (path, words) => expect(formatPath(path)).toBe(words))
