import createPurifier from 'dompurify'

/** What the editor of formatted text can keep. */
export const KEPT_TAGS = [
  ...['p', 'br', 'hr', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'ul', 'ol', 'li', 'blockquote', 'pre', 'code'],
  ...['a', 'b', 'strong', 'i', 'em', 'u', 's', 'strike', 'del'],
]
const SHOWN_TAGS = [
  ...KEPT_TAGS,
  ...['div', 'span', 'section', 'article', 'sub', 'sup', 'small', 'mark', 'ins', 'abbr', 'dl', 'dt', 'dd'],
  ...[
    'table',
    'caption',
    'thead',
    'tbody',
    'tfoot',
    'tr',
    'th',
    'td',
    'figure',
    'figcaption',
    'details',
    'summary',
  ],
]

const purifier = createPurifier(window)
purifier.addHook('afterSanitizeAttributes', node => {
  // Links lead to the web or nowhere.
  if (node.tagName === 'A' && !/^https?:\/\//i.test(node.getAttribute('href') ?? ''))
    node.removeAttribute('href')
})

const RULES = {
  ALLOWED_TAGS: SHOWN_TAGS,
  ALLOWED_ATTR: ['href', 'colspan', 'rowspan', 'start', 'dir', 'lang', 'open'],
  ALLOW_DATA_ATTR: false,
  ALLOW_ARIA_ATTR: false,
}

/** An agent's HTML as elements that can do nothing but be read. Nothing in them loads or runs. */
export function sanitisedFragment(html: string): DocumentFragment {
  const fragment = purifier.sanitize(html, { ...RULES, RETURN_DOM_FRAGMENT: true })
  for (const link of fragment.querySelectorAll('a[href]')) {
    link.setAttribute('target', '_blank')
    link.setAttribute('rel', 'noopener noreferrer')
  }
  return fragment
}

export const sanitisedHtml = (html: string): string => purifier.sanitize(html, RULES)

const SAME_TEXT = new Set(['div', 'span', 'section', 'article', 'small', 'ins', 'abbr'])

/** The kinds of elements that editing the text would lose: tables, images and the like. */
export function lostByEditing(html: string): string[] {
  const kept = new Set([
    ...KEPT_TAGS,
    ...SAME_TEXT,
    'html',
    'head',
    'body',
    'thead',
    'tbody',
    'tfoot',
    'tr',
    'th',
    'td',
  ])
  // A document of its own: nothing in it loads or runs.
  const parsed = new DOMParser().parseFromString(html, 'text/html')
  const names = [...parsed.querySelectorAll('*')].map(element => element.tagName.toLowerCase())
  return [...new Set(names)].filter(name => !kept.has(name))
}
