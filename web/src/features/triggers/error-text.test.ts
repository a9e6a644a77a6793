import { describe, expect, it } from 'vitest'
import type { FormDefinition } from '@/form'
import { getErrorText } from './error-text'

const FORM = {
  fields: [
    { id: 'street', path: 'address.street', label: 'Street' },
    { id: 'city', path: 'address.city', label: 'City' },
  ],
} as unknown as FormDefinition

describe('getErrorText', () => {
  it.each([
    ['data.address', 'Street and City: Must be an object.'],
    ['data.unknown', 'Must be an object.'],
    ['data', 'Must be an object.'],
    ['runName', 'Run name: Must be an object.'],
  ])('%s is shown as %s', (path, words) => {
    const errors = [{ path, code: 'wrong_type', message: 'must be an object' }]
    expect(getErrorText(FORM, errors, { runName: 'Run name' })).toBe(words)
  })
})
