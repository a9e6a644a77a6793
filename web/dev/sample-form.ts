/** A review type with every field type, and suggestions for it: harmless and hostile ones. */

import type { Field, FormDefinition, Json, LayoutNode, Media, Option, Suggestion } from '@/form'

const OPTIONS: Option[] = [
  { id: 'blog', label: 'Blog' },
  { id: 'mail', label: 'Mail' },
  { id: 'paper', label: 'Printed newsletter' },
]
const MANY: Option[] = Array.from({ length: 1_000 }, (_, index) => ({
  id: `o${index}`,
  label: `Option ${index + 1} ${['Ångström', 'Zoë', 'naïve', 'Łódź'][index % 4]}`,
}))

/** An image that is generated here. */
export function drawn(hue: number, width = 480, height = 320): string {
  const canvas = document.createElement('canvas')
  canvas.width = width
  canvas.height = height
  const pen = canvas.getContext('2d')
  if (pen === null) return ''
  for (let row = 0; row < 8; row += 1) {
    for (let column = 0; column < 12; column += 1) {
      pen.fillStyle = `hsl(${hue + row * 9 + column * 4} 60% ${35 + ((row + column) % 3) * 12}%)`
      pen.fillRect((column * width) / 12, (row * height) / 8, width / 12, height / 8)
    }
  }
  return canvas.toDataURL('image/png')
}

const PHOTOS = [10, 90, 150, 210, 300].map(hue => `https://pictures.example.com/${hue}.png`)

export const media = (): Media => ({
  fileCache: Object.fromEntries(
    PHOTOS.map((address, index) => [address, drawn(index * 60, 480, 320 + index * 40)]),
  ),
  notices: [{ url: 'https://pictures.example.com/gone.png', message: 'the address answered 404' }],
})

const field = (raw: Record<string, unknown>): Field =>
  ({
    label: String(raw.id),
    path: String(raw.id),
    required: false,
    editable: true,
    ...raw,
  }) as unknown as Field
const child = (raw: Record<string, unknown>) => ({
  label: String(raw.id),
  required: false,
  editable: true,
  ...raw,
})
const items = { allowAdd: true, allowRemove: true, allowReorder: true }

const ENTRIES: [Record<string, unknown>, Json][] = [
  [
    { id: 'intro', type: 'label', label: 'Before you begin', text: '' },
    'Please read **everything**, then [decide](https://example.com).',
  ],
  [
    {
      id: 'headline',
      type: 'text',
      label: 'Headline',
      required: true,
      maxLength: 60,
      help: 'What readers see first.',
    },
    'Autumn comes to the valley, and with it the harvest',
  ],
  [
    { id: 'summary', type: 'longText', label: 'Summary', minLength: 10 },
    'The vines turn red.\nThe cellar fills.',
  ],
  [
    { id: 'body', type: 'markdown', label: 'Body' },
    '## The harvest\n\nA **good** year, with ~~rain~~ sun.\n\n- one\n- two\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n![a tracker](https://evil.example.com/pixel.gif) <script>alert(1)</script> [bad](javascript:alert(1))\n\n```js\nconst x = 1\n```',
  ],
  [
    { id: 'letter', type: 'richText', label: 'Letter' },
    '<h2>Dear reader</h2><p onclick="alert(1)">Some <b>bold</b> and <i>quiet</i> words, a <a href="https://example.com">link</a> and a <a href="javascript:alert(1)">bad one</a>.</p><script>alert(1)</script><img src=x onerror=alert(1)><ul><li>one</li><li>two</li></ul>',
  ],
  [{ id: 'price', type: 'number', label: 'Price', unit: '€', min: 0, max: 500 }, 12.5],
  [{ id: 'stars', type: 'rating', label: 'Quality', max: 5 }, 3],
  [{ id: 'urgent', type: 'boolean', label: 'Urgent', trueLabel: 'Send today', falseLabel: 'Can wait' }, true],
  [{ id: 'day', type: 'date', label: 'Publish on', min: '2026-01-01' }, '2026-11-20'],
  [{ id: 'moment', type: 'datetime', label: 'Embargo until' }, '2026-11-20T09:30:00+02:00'],
  [{ id: 'contact', type: 'email', label: 'Contact' }, 'ann@example.com'],
  [{ id: 'source', type: 'link', label: 'Source' }, 'https://example.com/articles/2026/autumn?from=agent'],
  [
    { id: 'settings', type: 'json', label: 'Settings' },
    { tags: ['wine', 'autumn'], depth: { a: 1, b: null } },
  ],
  [
    { id: 'script', type: 'code', label: 'Script', language: 'python' },
    'def harvest(vines):\n    """Pick what is ripe."""\n    return [vine for vine in vines if vine.ripe > 0.8]\n',
  ],
  [{ id: 'channel', type: 'buttons', label: 'Send by', options: OPTIONS, required: true }, 'mail'],
  [
    { id: 'tags', type: 'buttons', label: 'Tags', options: OPTIONS, multiple: true },
    [{ id: 'blog', label: 'Blog' }],
  ],
  [
    { id: 'checks', type: 'checkboxes', label: 'Checked', options: OPTIONS },
    [{ id: 'paper', label: 'Printed newsletter' }],
  ],
  [{ id: 'place', type: 'dropdown', label: 'Place', options: MANY }, 'o41'],
  [
    { id: 'people', type: 'dropdown', label: 'People', options: MANY, multiple: true },
    [MANY[3] as Json, MANY[9] as Json],
  ],
  [{ id: 'photo', type: 'image', label: 'Photo', editable: false }, PHOTOS[0] as string],
  [{ id: 'other', type: 'image', label: 'Another photo' }, PHOTOS[1] as string],
  [
    { id: 'waiting', type: 'image', label: 'On its way', editable: false },
    'https://pictures.example.com/new.png',
  ],
  [{ id: 'gone', type: 'image', label: 'Lost', editable: false }, 'https://pictures.example.com/gone.png'],
  [{ id: 'film', type: 'video', label: 'Film', editable: false }, 'https://films.example.com/a.mp4'],
  [
    { id: 'sound', type: 'audio', label: 'Recording', editable: false },
    'https://sounds.example.com/a%20b.mp3',
  ],
  [
    { id: 'paper', type: 'file', label: 'Contract', editable: false },
    'https://files.example.com/contract%20v2.pdf',
  ],
  [
    {
      id: 'lines',
      type: 'list',
      label: 'Lines',
      ...items,
      item: [child({ id: 'line', type: 'text', label: 'Line', required: true })],
    },
    ['First', 'Second', 'Third'],
  ],
  [
    {
      id: 'photos',
      type: 'list',
      label: 'Photos',
      ...items,
      item: [child({ id: 'photo', type: 'image', label: 'Photo', editable: false })],
    },
    PHOTOS,
  ],
  [
    {
      id: 'cards',
      type: 'list',
      label: 'Captions',
      ...items,
      item: [
        child({ id: 'photo', type: 'image', label: 'Photo', editable: false }),
        child({ id: 'caption', type: 'text', label: 'Caption', required: true, maxLength: 40 }),
        child({ id: 'kind', type: 'buttons', label: 'Kind', options: OPTIONS }),
      ],
    },
    [
      { photo: PHOTOS[2] as string, caption: 'Vines in October', kind: 'blog' },
      { photo: PHOTOS[3] as string, caption: '' },
    ],
  ],
  [
    {
      id: 'rows',
      type: 'table',
      label: 'Order',
      ...items,
      columns: [
        child({ id: 'name', type: 'text', label: 'Name', editable: false }),
        child({ id: 'qty', type: 'number', label: 'Quantity', integer: true, min: 1, required: true }),
        child({ id: 'due', type: 'date', label: 'Due' }),
        child({ id: 'ok', type: 'boolean', label: 'Ready' }),
        child({ id: 'state', type: 'dropdown', label: 'State', options: OPTIONS }),
        child({ id: 'note', type: 'markdown', label: 'Note' }),
      ],
    },
    [
      { name: 'Bolts', qty: 12, due: '2026-12-01', ok: true, state: 'blog', note: 'Some *words*' },
      { name: 'Nuts', qty: 0, ok: null },
    ],
  ],
]

const rules: FormDefinition['rules'] = [
  {
    target: 'publishing',
    effect: 'show',
    when: { field: 'stars.value', operation: 'greaterThanOrEqual', value: 3 },
  },
]

const layout: LayoutNode[] = [
  { kind: 'field', field: 'intro' },
  { kind: 'columns', columns: [[{ kind: 'field', field: 'headline' }], [{ kind: 'field', field: 'stars' }]] },
  {
    kind: 'group',
    id: 'publishing',
    label: 'Publishing',
    children: [
      { kind: 'columns', columns: [[{ kind: 'field', field: 'day' }], [{ kind: 'field', field: 'moment' }]] },
      { kind: 'field', field: 'channel' },
    ],
  },
  {
    kind: 'grid',
    columns: 3,
    children: ['price', 'urgent', 'contact'].map(id => ({ kind: 'field', field: id })),
  },
]

export const form: FormDefinition = {
  formId: 'frm_sample',
  version: 1,
  name: 'Everything',
  titleField: 'headline',
  width: 'medium',
  fields: ENTRIES.map(([raw]) => field(raw)),
  layout,
  rules,
}

export const suggestion: Suggestion = {
  values: Object.fromEntries(ENTRIES.map(([raw, value]) => [String(raw.id), value])),
  responseValues: {},
}

const LONG = 'Ein sehr langer Satz, der nie endet. '.repeat(28_000)

/** The same form with hostile values. */
export const hostile: Suggestion = {
  ...suggestion,
  values: {
    ...suggestion.values,
    headline: `<script>alert(1)</script> ${'W'.repeat(300)}`,
    summary: LONG,
    body: `${'# x\n'.repeat(2000)}${LONG}`,
    contact: 'שלום עולם 👨‍👩‍👧‍👦 مرحبا',
    source: `https://example.com/${'a'.repeat(2000)}`,
    lines: Array.from({ length: 2_000 }, (_, index) => `Line ${index} مرحبا 😀`),
    photos: Array.from({ length: 2_000 }, (_, index) => PHOTOS[index % 5] as string),
    rows: Array.from({ length: 2_000 }, (_, index) => ({
      name: `Row ${index}`,
      qty: index,
      note: LONG.slice(0, 500),
    })),
    settings: Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`key${index}`, index])),
  },
}
