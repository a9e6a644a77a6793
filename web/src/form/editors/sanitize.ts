import type { Element, Nodes, Root } from 'hast'
import { fromParse5 } from 'hast-util-from-parse5'
import { type Schema, sanitize } from 'hast-util-sanitize'
import { toHtml } from 'hast-util-to-html'
import { type DefaultTreeAdapterTypes, defaultTreeAdapter, parseFragment } from 'parse5'
import { isWebAddress } from '../value-types/texts'

/*
 * HTML from an agent never reaches the browser's own parser before it's sanitized. Even in an inert document
 * (DOMParser, <template>), browsers process inline handlers and styles while parsing, and some report them as policy
 * violations. Parsed here, it's a plain tree, and only what the allow list names is ever created as an element.
 */

/** The elements that the editor of formatted text keeps. */
const KEPT_TAGS = [
  ...['p', 'br', 'hr', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'ul', 'ol', 'li', 'blockquote', 'pre', 'code'],
  ...['a', 'b', 'strong', 'i', 'em', 'u', 's', 'strike', 'del'],
]
const TABLE_TAGS = ['table', 'caption', 'thead', 'tbody', 'tfoot', 'tr', 'th', 'td']
const SHOWN_TAGS = [
  ...KEPT_TAGS,
  ...TABLE_TAGS,
  ...['div', 'span', 'section', 'article', 'sub', 'sup', 'small', 'mark', 'ins', 'abbr', 'dl', 'dt', 'dd'],
  ...['figure', 'figcaption', 'details', 'summary'],
]
/** Elements without readable text: they are dropped with their content. */
const DROPPED_TAGS = [
  ...['script', 'style', 'template', 'noscript', 'noembed', 'noframes', 'title', 'svg', 'math'],
  ...['iframe', 'object', 'embed', 'audio', 'video', 'canvas', 'select', 'textarea', 'xmp', 'plaintext'],
]

const SCHEMA: Schema = {
  tagNames: SHOWN_TAGS,
  strip: DROPPED_TAGS,
  attributes: {
    a: ['href'],
    th: ['colSpan', 'rowSpan'],
    td: ['colSpan', 'rowSpan'],
    ol: ['start'],
    details: ['open'],
    '*': ['dir', 'lang'],
  },
  protocols: { href: ['http', 'https'] },
}

/** The depth to which browsers nest elements themselves; limited because the steps after parsing are recursive. */
const MAX_DEPTH = 512

/** An agent's HTML as a tree of harmless elements. Nothing in them loads or runs. */
export function sanitizeTree(html: string): Root {
  const clean = sanitize(parseHtml(html), SCHEMA) as Root
  for (const element of getElements(clean)) {
    const { href } = element.properties
    // Links lead to the web or nowhere.
    if (href !== undefined && !isWebAddress(String(href))) delete element.properties.href
  }
  return clean
}

export const sanitizeHtml = (html: string): string => toHtml(sanitizeTree(html))

const SAME_TEXT = ['div', 'span', 'section', 'article', 'small', 'ins', 'abbr']
const NAMED_BY_TABLE = TABLE_TAGS.slice(1)

/** The names of elements that editing the text would lose: tables, images and the like. */
export function findLostTags(html: string): string[] {
  const kept = new Set([...KEPT_TAGS, ...SAME_TEXT, ...NAMED_BY_TABLE])
  const names = getElements(parseHtml(html)).map(element => element.tagName)
  return [...new Set(names)].filter(name => !kept.has(name))
}

function parseHtml(html: string): Root {
  const fragment = parseFragment(html)
  limitDepth(fragment)
  return fromParse5(fragment) as Root
}

function getElements(tree: Nodes): Element[] {
  const found: Element[] = []
  const open: Nodes[] = [tree]
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (node.type === 'element') found.push(node)
    if ('children' in node) for (const child of node.children.toReversed()) open.push(child)
  }
  return found
}

type ParsedNode = DefaultTreeAdapterTypes.Node
const getChildren = (node: ParsedNode): DefaultTreeAdapterTypes.ChildNode[] =>
  'childNodes' in node ? node.childNodes : []

/** Deeper content stays as text. */
function limitDepth(root: ParsedNode): void {
  const open: [ParsedNode, number][] = [[root, 0]]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [node, depth] = next
    if (depth < MAX_DEPTH) {
      for (const child of getChildren(node)) open.push([child, depth + 1])
    } else if ('childNodes' in node) {
      const text = getText(node)
      node.childNodes = []
      if (text !== '') defaultTreeAdapter.insertText(node, text)
    }
  }
}

function getText(root: ParsedNode): string {
  let text = ''
  const open: ParsedNode[] = [root]
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (DROPPED_TAGS.includes(node.nodeName)) continue
    if (defaultTreeAdapter.isTextNode(node)) text += node.value
    for (const child of getChildren(node).toReversed()) open.push(child)
  }
  return text
}

/** The names of elements in the text that aren't shown, except for those that only wrap text. */
export function findHiddenTags(html: string): string[] {
  const shown = new Set([...SHOWN_TAGS, 'font', 'center', 'tt', 'big', 'nobr', 'main', 'header', 'footer'])
  const names = getElements(parseHtml(html)).map(element => element.tagName)
  return [...new Set(names)].filter(name => !shown.has(name))
}

/** Whether the text has an element with this name. Much cheaper than parsing, for names that parsing found. */
export const hasElement = (html: string, name: string): boolean =>
  new RegExp(`<${name.replace(/[^a-z0-9-]/gi, '.')}[\\s/>]`, 'i').test(html)
