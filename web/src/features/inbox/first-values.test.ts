import { describe, expect, it } from 'vitest'
import { getFirstValues, summarizeValue } from './first-values'

const options = [
  { id: 'blog', label: 'Blog' },
  { id: 'mail', label: 'E-mail' },
]

describe('summarizeValue', () => {
  it.each([
    [null, ''],
    [undefined, ''],
    ['', ''],
    ['  two\n lines ', 'two lines'],
    [0, '0'],
    [false, 'No'],
    [true, 'Yes'],
    ['mail', 'E-mail'],
    [['blog', 'mail'], 'Blog, E-mail'],
    [[], ''],
    [[{ a: 1 }, { a: 2 }], '2 items'],
    [[{ a: 1 }], '1 item'],
    [{ a: 1 }, ''],
    [[{ id: 'mail', label: 'Letter' }], 'E-mail'],
    [[{ id: 'fax', label: 'Fax' }], 'Fax'],
    ['x'.repeat(100), `${'x'.repeat(80)}…`],
    ['<script>alert(1)</script>', '<script>alert(1)</script>'],
  ])('of %j', (value, text) => {
    expect(summarizeValue(value, options)).toBe(text)
  })

  it('does not cut through a letter', () => {
    expect(summarizeValue('😀'.repeat(90))).toBe(`${'😀'.repeat(80)}…`)
  })
})

describe('getFirstValues', () => {
  const fields = [
    { id: 'headline', label: 'Headline', type: 'text' },
    { id: 'hint', label: 'Hint', type: 'label' },
    { id: 'channel', label: 'Channel', type: 'dropdown', options },
    { id: 'nothing', label: 'Nothing', type: 'text' },
    { id: 'score', type: 'number' },
    { id: 'body', label: 'Body', type: 'longText' },
    { id: 'more', label: 'More', type: 'text' },
  ]

  it('leaves out the title, labels and what is empty', () => {
    const values = {
      headline: 'News',
      hint: 'x',
      channel: 'blog',
      nothing: null,
      score: 7,
      body: 'B',
      more: 'M',
    }
    expect(getFirstValues(fields, { values }, 'headline')).toEqual([
      { label: 'Channel', text: 'Blog' },
      { label: 'score', text: '7' },
      { label: 'Body', text: 'B' },
    ])
  })

  it('takes the options that came with the request', () => {
    const configs = { channel: { options: [{ id: 'blog', label: 'Our blog' }] } }
    expect(getFirstValues(fields, { values: { channel: 'blog' }, configs }, null)).toEqual([
      { label: 'Channel', text: 'Our blog' },
    ])
  })
})
