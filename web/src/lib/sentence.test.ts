import { expect, it } from 'vitest'
import { toSentence } from './i18n'

it.each([
  ['must not be empty', 'Must not be empty.'],
  ['What is this?', 'What is this?'],
  ['空にできません', '空にできません。'],
  ['不能为空。', '不能为空。'],
  ['لا يمكن أن يكون فارغًا', 'لا يمكن أن يكون فارغًا.'],
])('%s: %s', (message, text) => {
  expect(toSentence(message)).toBe(text)
})
