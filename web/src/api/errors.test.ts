import { beforeAll, describe, expect, it, vi } from 'vitest'

vi.stubGlobal('document', { baseURI: 'http://localhost/' })

let errors: typeof import('./errors')
let error: Error

beforeAll(async () => {
  errors = await import('./errors')
  const { ApiError } = await import('./client')
  error = new ApiError(422, {
    detail: 'The body has errors.',
    errors: [
      { path: 'name', code: 'too_short', message: 'is too short' },
      { path: 'members[2]', code: 'unknown_user', message: 'is nobody here' },
    ],
  })
})

describe('getFieldError', () => {
  it.each([
    ['name', 'Is too short.'],
    ['members', 'Is nobody here.'],
    ['nam', null],
    ['email', null],
  ])('%s: %s', (path, text) => {
    expect(errors.getFieldError(error, path)).toBe(text)
  })

  it('has nothing to say without an error', () => {
    expect(errors.getFieldError(null, 'name')).toBeNull()
  })
})

describe('getFormError', () => {
  it('is null when every error belongs to a field', () => {
    expect(errors.getFormError(error, ['name', 'members'])).toBeNull()
  })

  it('names what has no field', () => {
    expect(errors.getFormError(error, ['name'])).toBe('members[2]: is nobody here')
  })

  it('is the message of an error without details', () => {
    expect(errors.getFormError(new Error('No connection.'), ['name'])).toBe('No connection.')
  })
})
