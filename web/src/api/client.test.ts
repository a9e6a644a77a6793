// @vitest-environment jsdom
import createClient from 'openapi-fetch'
import { afterEach, describe, expect, it } from 'vitest'
import { setLanguage } from '@/lib/i18n'
import { ApiError, inPageLanguage, throwApiErrors } from './client'

const PROBLEM = {
  title: 'Invalid request',
  detail: 'The request is invalid.',
  code: 'invalid_request',
  errors: [
    { path: 'name', code: 'too_short', message: 'must not be empty' },
    { path: 'email', code: 'invalid', message: 'must be an email address' },
  ],
}

afterEach(() => setLanguage('en'))

describe('an error', () => {
  it('is written in the language of the page, if the service has it', () => {
    const localized = {
      language: 'de',
      title: 'Ungültig',
      detail: 'Die Anfrage ist ungültig.',
      errors: ['darf nicht leer sein'],
    }
    const error = new ApiError(422, { ...PROBLEM, localized })
    expect(error.message).toBe('Die Anfrage ist ungültig.')
    expect(error.errors.map(detail => detail.message)).toEqual([
      'darf nicht leer sein',
      'must be an email address',
    ])
  })
  it('is in English otherwise', () => {
    const error = new ApiError(422, PROBLEM)
    expect(error.message).toBe('The request is invalid.')
    expect(error.errors).toEqual(PROBLEM.errors)
  })
})

describe('an answer', () => {
  it('has its texts in the language of the page, if the service has them', () => {
    const outcome = { delivered: true, detail: 'Accepted.', notes: ['one', 'two'] }
    const localized = { language: 'de', detail: 'Angenommen.', notes: ['eins', 'zwei'] }
    expect(inPageLanguage({ ...outcome, localized })).toMatchObject({
      delivered: true,
      detail: 'Angenommen.',
      notes: ['eins', 'zwei'],
    })
    expect(inPageLanguage<{ detail: string; localized?: Record<string, string> }>(outcome)).toEqual(outcome)
  })
})

describe('a request', () => {
  it('says in which language it is to be answered', async () => {
    const sent: Request[] = []
    const client = createClient<Record<string, Record<'get', object>>>({
      baseUrl: 'http://localhost',
      fetch: request => {
        sent.push(request)
        return Promise.resolve(Response.json({}))
      },
    })
    client.use(throwApiErrors)
    await setLanguage('pt-BR')
    await client.GET('/anything')
    expect(sent[0]?.headers.get('accept-language')).toBe('pt-BR')
  })
})
