// @vitest-environment jsdom
import { describe, expect, it } from 'vitest'
import { ApiError } from '@/api/client'
import { getLinkEnd, getLinkLanguage } from './link-end'

const error = (status: number, code: string, more: Record<string, unknown> = {}) =>
  new ApiError(status, { code, detail: '', ...more } as ConstructorParameters<typeof ApiError>[1])

describe('how a link ended', () => {
  it.each([
    ['deleted', error(410, 'link_deleted')],
    ['reassigned', error(410, 'link_reassigned')],
    ['expired', error(410, 'link_expired')],
    ['unknown', error(401, 'unauthenticated')],
    ['unknown', error(404, 'not_found')],
    ['unknown', error(410, 'link_lost_some_other_way')],
  ])('%s', (kind, given) => expect(getLinkEnd(given)).toEqual({ kind }))

  it('answered, with who and when', () => {
    const said = {
      response: 'rejected',
      respondingUser: 'a@example.org',
      respondedAt: '2026-11-15T09:30:00.000Z',
    }
    expect(getLinkEnd(error(410, 'link_answered', { ...said, byYou: true }))).toEqual({
      kind: 'answered',
      response: 'rejected',
      by: 'a@example.org',
      at: '2026-11-15T09:30:00.000Z',
      isMine: true,
    })
    expect(getLinkEnd(error(410, 'link_answered', { response: 7 }))).toEqual({
      kind: 'answered',
      response: null,
      by: null,
      at: null,
      isMine: false,
    })
  })

  it.each([
    ['offline', error(0, 'offline')],
    ['a server error', error(500, 'internal_error')],
    ['something else', new Error('?')],
  ])('nothing about the link: %s', (_, given) => expect(getLinkEnd(given)).toBeNull())
})

describe('the language of the page', () => {
  it('is what the request chose', () =>
    expect(getLinkLanguage(error(410, 'link_expired', { language: 'de' }))).toBe('de'))

  it.each([
    ['no choice', error(410, 'link_expired')],
    ['a language of a newer service', error(410, 'link_expired', { language: 'tlh' })],
    ['something else', new Error('?')],
  ])('is up to the browser: %s', (_, given) => expect(getLinkLanguage(given)).toBeUndefined())
})
