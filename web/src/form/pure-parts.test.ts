import { describe, expect, it } from 'vitest'
import { compareText, countCharacters, isBlank, isLongerThan, isShorterThan } from './characters'
import { filterOptions } from './editors/filter-options'
import { formatValue } from './format-value'
import { parseJsonOrText, toJsonText } from './json-text'
import { getGroupIds, getParentGroups, getReadingOrder } from './layout-tree'
import { getFileName, getMediaNotice, getMediaSource, getOwnUrl } from './media-source'
import { parseNumberOrText } from './number-text'
import { getFieldErrors, getFormErrors } from './server-errors'
import { findCommonEnds, shortenChange } from './shorten-change'
import type { ChildField, FieldOf, FormDefinition, Json } from './types'
import { moveItem } from './use-items'
import { toSuggestedFormat, withChildValue } from './value-types/repeated'
import { fromWallClock, toWallClock } from './wall-clock'
import { FIT, pan, zoomAbout } from './zoom'

describe('characters', () => {
  it.each([
    ['', 0],
    ['abc', 3],
    ['😀', 1],
    ['a😀b', 3],
    ['\ud83d', 1],
    ['\ude00\ud83d', 2],
    ['👨‍👩‍👧', 5],
  ])('%j has %d', (text, count) => {
    expect(countCharacters(text)).toBe(count)
    expect(isLongerThan(text, count)).toBe(false)
    expect(isShorterThan(text, count)).toBe(false)
    expect(isShorterThan(text, count + 1)).toBe(true)
    if (count > 0) expect(isLongerThan(text, count - 1)).toBe(true)
  })

  it('are ordered by code point', () => {
    const texts = ['😀', '\uffee', 'b', 'a', 'ab', '']
    expect(texts.toSorted(compareText)).toEqual(['', 'a', 'ab', 'b', '\uffee', '😀'])
  })

  it.each([
    [' \t\n', true],
    ['\u00a0\u3000', true],
    ['\u001c\u0085', true],
    ['\ufeff', false],
    ['\u200b', false],
    ['x', false],
  ])('blank: %j is %s', (text, blank) => expect(isBlank(text)).toBe(blank))
})

describe('what is typed as a number', () => {
  it.each([
    ['', null],
    ['  ', null],
    ['1.', 1],
    ['-1.50', -1.5],
    ['.5', 0.5],
    ['1e3', 1000],
    ['+2', 2],
    ['-', '-'],
    ['1e', '1e'],
    ['1,5', '1,5'],
    ['0x10', '0x10'],
    ['Infinity', 'Infinity'],
    ['1e999', '1e999'],
  ])('%j means %j', (typed, value) => expect(parseNumberOrText(typed)).toBe(value))
})

describe('what is typed as JSON', () => {
  it.each(['{"a": [1, 2', 'undefined', "{'a': 1}"])('%s is kept while it is unfinished', text => {
    expect(toJsonText(parseJsonOrText(text))).toBe(text)
  })
  it('is nothing where nothing stands', () => expect(parseJsonOrText(' \n')).toBe(null))
  it('is the value otherwise', () => expect(parseJsonOrText('{"a": 1.0}')).toEqual({ a: 1 }))
})

describe('wall clocks', () => {
  it.each([
    ['2026-11-20T09:30:00+02:00', '2026-11-20T09:30', '+02:00'],
    ['2026-11-20T09:30:15.5Z', '2026-11-20T09:30:15', 'Z'],
    ['2026-11-20T09:30', '2026-11-20T09:30', ''],
  ])('%s', (text, wall, zone) => {
    expect(toWallClock(text)).toEqual({ wall, zone })
    expect(fromWallClock(wall, text)).toBe(text)
  })

  it.each([
    ['2026-11-21T10:00', '2026-11-20T09:30:00+02:00', '2026-11-21T10:00:00+02:00'],
    ['2026-11-21T10:00:05', '2026-11-20T09:30Z', '2026-11-21T10:00:05Z'],
    ['2026-11-21T10:00', '2026-11-20T09:30Z', '2026-11-21T10:00Z'],
    ['2026-11-21T10:00', '2026-11-20T09:30:00', '2026-11-21T10:00:00'],
    ['', '2026-11-20T09:30Z', ''],
  ])('%s in the form of %s is %s', (typed, like, value) => expect(fromWallClock(typed, like)).toBe(value))

  it('have the local offset where there is no form to follow', () => {
    expect(fromWallClock('2026-11-21T10:00', '')).toMatch(/^2026-11-21T10:00:00[+-]\d{2}:\d{2}$/)
  })
})

describe('where media come from', () => {
  const here = { base: 'https://signoff.example.com/team/' }
  const copied = { 'https://a.example/1.png': 'https://signoff.example.com/team/media/acc/1' }

  it.each([
    ['https://a.example/1.png', 'https://signoff.example.com/team/media/acc/1'],
    ['/media/acc/2', 'https://signoff.example.com/team/media/acc/2'],
    ['https://signoff.example.com/team/media/acc/3?s=1', 'https://signoff.example.com/team/media/acc/3?s=1'],
    ['data:image/png;base64,AAAA', 'data:image/png;base64,AAAA'],
  ])('%s is loaded from %s', (address, source) => {
    expect(getMediaSource(address, { fileCache: copied }, here)).toEqual({ state: 'ready', source })
  })

  it.each([
    'https://evil.example/x.png',
    'https://signoff.example.com/other/x.png',
    'https://signoff.example.com.evil.example/team/media/x',
    'http://signoff.example.com/team/media/x',
    '/media/../secrets',
    'data:image/svg+xml,<svg/>',
    'data:text/html,x',
    'javascript:alert(1)',
    '__proto__',
  ])('%s is not loaded', address => {
    expect(getMediaSource(address, { fileCache: copied }, here).state).toBe('waiting')
  })

  it('a storage elsewhere is known by its name, or by the copies in it', () => {
    const address = 'https://cdn.example.com/acc/9'
    expect(getOwnUrl(address, {}, here)).toBe(null)
    expect(getOwnUrl(address, {}, { ...here, cdn: 'https://cdn.example.com' })).toBe(address)
    expect(getOwnUrl(address, { fileCache: { x: 'https://cdn.example.com/acc/1' } }, here)).toBe(address)
  })

  it('what could not be copied says why', () => {
    const notices = [{ url: 'https://a.example/2.png', message: 'it is gone', state: 'failed' as const }]
    expect(getMediaSource('https://a.example/2.png', { notices }, here)).toEqual({
      state: 'failed',
      message: 'it is gone',
    })
  })

  it('Approve mentions what the page does not show', () => {
    const at = (name: string, kind: 'image' | 'video' = 'image') => ({
      address: `https://a.example/${name}`,
      kind,
    })
    const failed = (name: string) => ({ url: at(name).address, message: 'x', state: 'failed' as const })
    const media = {
      fileCache: { [at('copied').address]: '/media/a/1' },
      notices: [failed('1'), failed('2'), { ...failed('3'), state: 'retrying' as const }],
    }
    const said = (...shown: ReturnType<typeof at>[]) => getMediaNotice(shown, media, here)
    expect(said(at('copied'))).toBeNull()
    expect(said()).toBeNull()
    expect(said(at('1'), at('1'), at('copied'))).toEqual({
      text: "1 image couldn't be copied",
      isFailed: true,
    })
    expect(said(at('1'), at('3'))?.text).toBe("2 images couldn't be copied")
    expect(said(at('1'), at('2', 'video'))?.text).toBe("2 files couldn't be copied")
    expect(said(at('new', 'video'))).toEqual({ text: '1 video not copied yet', isFailed: false })
    expect(getMediaNotice([at('new')], { later: 'a preview' }, here)).toBeNull()
  })

  it('in a preview nothing is waited for', () => {
    expect(getMediaSource('https://a.example/2.png', { later: 'not here' }, here)).toEqual({
      state: 'later',
      message: 'not here',
    })
  })

  it.each([
    ['https://x.example/a/b%20c.pdf?x#y', 'b c.pdf'],
    ['https://x.example/%E0%A4%A', '%E0%A4%A'],
    ['https://x.example/', 'https://x.example/'],
  ])('%s is called %s', (address, name) => expect(getFileName(address)).toBe(name))
})

describe('errors from the server', () => {
  const form = {
    fields: [
      { id: 'a', path: 'draft.head' },
      { id: 'b', path: 'draft.headline' },
    ],
  } as unknown as FormDefinition
  const errors = [
    'data.draft.head',
    'data.draft.headline',
    'data.draft.head[2].x',
    'data.draft',
    'revision',
  ].map(path => ({
    path,
    code: 'c',
    message: 'must not be empty',
  }))

  it('find their fields', () =>
    expect(getFieldErrors(form, errors).map(error => error.fieldId)).toEqual(['a', 'b', 'a']))
  it('are told apart where they are about none', () =>
    expect(getFormErrors(form, errors).map(error => error.path)).toEqual(['data.draft', 'revision']))
})

describe('layouts', () => {
  const form = {
    fields: ['a', 'b', 'c', 'd'].map(id => ({ id })),
    layout: [
      { kind: 'field', field: 'c' },
      {
        kind: 'group',
        id: 'g',
        label: '',
        children: [
          {
            kind: 'columns',
            columns: [[{ kind: 'group', id: 'h', label: '', children: [{ kind: 'field', field: 'a' }] }]],
          },
        ],
      },
    ],
  } as unknown as FormDefinition

  it('are read in order, with what they leave out at the end', () =>
    expect(getReadingOrder(form)).toEqual(['c', 'a', 'b', 'd']))
  it('know their groups', () => {
    expect(getGroupIds(form.layout)).toEqual(['g', 'h'])
    expect([...getParentGroups(form.layout)]).toEqual([
      ['h', 'g'],
      ['a', 'h'],
    ])
  })
})

describe('items', () => {
  const child = { id: 'n', type: 'number', label: 'N', required: false, editable: true } as ChildField
  const list = { type: 'list', item: [child] } as FieldOf<'list'>

  it.each([
    [0, 2, 'bca'],
    [2, 0, 'cab'],
    [1, 1, 'abc'],
  ])('move from %d to %d', (from, to, result) => expect(moveItem([...'abc'], from, to).join('')).toBe(result))

  it.each<[Json, Json, Json]>([
    [1, 2, 2],
    [1, null, { n: null }],
    [{ n: 1, own: 2 }, 3, { n: 3, own: 2 }],
    [1, { a: 1 }, { n: { a: 1 } }],
  ])('%j with %j is %j', (item, value, result) => expect(withChildValue(item, child, value)).toEqual(result))

  it('are plain where those of the agent are', () => {
    expect(toSuggestedFormat(list, { n: 1 }, [2])).toBe(1)
    expect(toSuggestedFormat(list, { n: 1 }, [{ n: 2 }])).toEqual({ n: 1 })
    expect(toSuggestedFormat(list, { n: null }, [2])).toEqual({ n: null })
  })

  it('are told in words', () => {
    expect(formatValue(list as never, [1, { n: 2 }])).toBe('1\n2')
  })
})

describe('changes', () => {
  it('leave out what is far from them', () => {
    const long = 'x '.repeat(2_000)
    const parts = shortenChange([
      { kind: 'same', text: long },
      { kind: 'gone', text: 'old' },
      { kind: 'same', text: long },
    ])
    expect(parts.map(part => part.kind)).toEqual([
      'same',
      'left out',
      'same',
      'gone',
      'same',
      'left out',
      'same',
    ])
    expect(parts.map(part => part.text).join('').length).toBeLessThan(700)
  })

  it.each([
    ['one two three', 'one 2 three', 'one ', ' three'],
    ['same', 'same', 'same', ''],
    ['abc', 'abd', '', ''],
    ['a a', 'a a a', 'a ', ''],
    ['', 'x', '', ''],
  ])('between %j and %j are looked for inside only', (before, now, head, tail) => {
    const found = findCommonEnds(before, now)
    expect(found).toEqual({ head, tail })
    expect(before.startsWith(found.head) && now.startsWith(found.head)).toBe(true)
    expect(before.endsWith(found.tail) && now.endsWith(found.tail)).toBe(true)
    expect(found.head.length + found.tail.length).toBeLessThanOrEqual(Math.min(before.length, now.length))
  })
})

describe('searching options', () => {
  const options = [
    { id: 'zrh', label: 'Zürich Süd' },
    { id: 'gva', label: 'Genève' },
  ]
  it.each([
    ['', ['zrh', 'gva']],
    ['zurich', ['zrh']],
    ['sud ZU', ['zrh']],
    ['GVA', ['gva']],
    ['nowhere', []],
  ])('%j', (search, ids) => expect(filterOptions(options, search).map(option => option.id)).toEqual(ids))
})

describe('zooming', () => {
  it('keeps the point under the pointer', () => {
    const zoom = zoomAbout(FIT, 2, 100, 50)
    expect(zoom).toEqual({ scale: 2, x: -100, y: -50 })
    expect((100 - zoom.x) / zoom.scale).toBe(100)
  })
  it('ends where the picture fits, and cannot be moved there', () => {
    expect(zoomAbout({ scale: 2, x: 30, y: 0 }, 0.1, 5, 5)).toEqual(FIT)
    expect(pan(FIT, 10, 10)).toEqual(FIT)
  })
})
