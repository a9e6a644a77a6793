import { beforeAll, describe, expect, it, vi } from 'vitest'

vi.stubGlobal('document', { baseURI: 'http://localhost/' })

let faults: typeof import('./errors')
let error: Error

beforeAll(async () => {
  faults = await import('./errors')
  const { ApiError } = await import('./client')
  error = new ApiError(422, {
    detail: 'The body has faults.',
    errors: [
      { path: 'name', code: 'too_short', message: 'is too short' },
      { path: 'members[2]', code: 'unknown_user', message: 'is nobody here' },
    ],
  })
})

describe('faultAt', () => {
  it.each([
    ['name', 'Is too short.'],
    ['members', 'Is nobody here.'],
    ['nam', null],
    ['email', null],
  ])('%s: %s', (path, text) => {
    expect(faults.getFieldError(error, path)).toBe(text)
  })

  it('has nothing to say without an error', () => {
    expect(faults.getFieldError(null, 'name')).toBeNull()
  })
})

describe('faultElsewhere', () => {
  it('is nothing when every fault has its field', () => {
    expect(faults.getFormError(error, ['name', 'members'])).toBeNull()
  })

  it('names what has no field', () => {
    expect(faults.getFormError(error, ['name'])).toBe('members[2]: is nobody here')
  })

  it('is the message of an error without faults', () => {
    expect(faults.getFormError(new Error('No line.'), ['name'])).toBe('No line.')
  })
})
