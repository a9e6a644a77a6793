import ts from 'typescript'
import { describe, expect, it } from 'vitest'

const sources = import.meta.glob<string>(['./**/*.tsx', '!./**/*.test.tsx'], {
  query: '?raw',
  import: 'default',
  eager: true,
})

/** Attributes that people read or hear. */
const READ = new Set([
  'alt',
  'aria-label',
  'aria-roledescription',
  'description',
  'help',
  'label',
  'placeholder',
  'title',
])

/** The same in every language: names, commands, and examples of URLs, addresses, and IDs. */
const ALLOWED = new Set(['Signoff', 'POST', 'UTC', 'responseValues', 'rev_… usr_… agt_…', 'xoxb-…'])
const EXAMPLE = /^https:\/\/|^(signoff sign-in-link )?\w+@example\.com$/

const isText = (text: string) =>
  /\p{L}{2}/u.test(text) && !ALLOWED.has(text.trim()) && !EXAMPLE.test(text.trim())

/** The texts that an expression may return, except for those from a catalog. */
function textsOf(node: ts.Node): string[] {
  if (ts.isStringLiteralLike(node)) return [node.text]
  if (ts.isTemplateExpression(node))
    return [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)]
  if (ts.isParenthesizedExpression(node) || ts.isJsxExpression(node))
    return node.expression ? textsOf(node.expression) : []
  if (ts.isConditionalExpression(node)) return [...textsOf(node.whenTrue), ...textsOf(node.whenFalse)]
  if (ts.isBinaryExpression(node)) {
    const operator = node.operatorToken.kind
    if (operator === ts.SyntaxKind.PlusToken) return [...textsOf(node.left), ...textsOf(node.right)]
    if (operator === ts.SyntaxKind.AmpersandAmpersandToken) return textsOf(node.right)
    if (operator === ts.SyntaxKind.BarBarToken || operator === ts.SyntaxKind.QuestionQuestionToken)
      return [...textsOf(node.left), ...textsOf(node.right)]
  }
  return []
}

function inlineTexts(path: string, source: string): string[] {
  const found: string[] = []
  const visit = (node: ts.Node) => {
    if (ts.isJsxElement(node) && node.openingElement.tagName.getText() === 'Trans') return
    if (ts.isJsxText(node)) found.push(node.text)
    else if (ts.isJsxAttribute(node)) {
      if (READ.has(node.name.getText()) && node.initializer) found.push(...textsOf(node.initializer))
    } else if (ts.isJsxExpression(node) && !ts.isJsxAttribute(node.parent)) found.push(...textsOf(node))
    ts.forEachChild(node, visit)
  }
  visit(ts.createSourceFile(path, source, ts.ScriptTarget.Latest, true, ts.ScriptKind.TSX))
  return found.filter(isText).map(text => text.trim())
}

describe('every text is in the catalog', () => {
  it('or is found', () => {
    const page = `<p title={isNew ? 'New one' : t\`Old\`} className="flex">Hello <Trans>there</Trans> {name || 'Nobody'}</p>`
    expect(inlineTexts('page.tsx', page)).toEqual(['New one', 'Hello', 'Nobody'])
  })
  it.each(Object.entries(sources))('of %s', (path, source) => {
    expect(inlineTexts(path, source)).toEqual([])
  })
})
