/** The request an agent sends, ready to paste. */

import type { JsonObject } from '@/form'

export type SnippetLanguage = 'json' | 'curl' | 'python' | 'javascript'

export type Request = { address: string; formId: string; agentId: string | null; data: JsonObject }

export const LANGUAGES: readonly { id: SnippetLanguage; label: string }[] = [
  { id: 'curl', label: 'cURL' },
  { id: 'python', label: 'Python' },
  { id: 'javascript', label: 'JavaScript' },
  { id: 'json', label: 'JSON' },
]

const buildBody = ({ formId, agentId, data }: Request) => ({
  formId,
  ...(agentId !== null && { agentId }),
  data,
})

export function snippet(language: SnippetLanguage, request: Request): string {
  const body = JSON.stringify(buildBody(request), null, 2)
  const url = `${request.address}/requestReview`
  switch (language) {
    case 'json':
      return body
    case 'curl':
      return [
        `curl -sS ${toCurl(url)} \\`,
        '  -H "x-api-key: $SIGNOFF_API_KEY" \\',
        "  -H 'content-type: application/json' \\",
        `  --data-raw ${toCurl(body)}`,
      ].join('\n')
    case 'python':
      return [
        'import json',
        'import os',
        'import urllib.request',
        '',
        `body = ${toPython(buildBody(request), '')}`,
        'request = urllib.request.Request(',
        `    ${JSON.stringify(url)},`,
        '    data=json.dumps(body).encode(),',
        '    headers={"content-type": "application/json", "x-api-key": os.environ["SIGNOFF_API_KEY"]},',
        ')',
        'with urllib.request.urlopen(request) as response:',
        '    print(json.load(response)["reviewId"])',
      ].join('\n')
    case 'javascript':
      return [
        `const response = await fetch(${JSON.stringify(url)}, {`,
        "  method: 'POST',",
        "  headers: { 'content-type': 'application/json', 'x-api-key': process.env.SIGNOFF_API_KEY },",
        `  body: JSON.stringify(${body.replaceAll('\n', '\n  ')}),`,
        '})',
        'if (!response.ok) throw new Error(await response.text())',
        'console.log((await response.json()).reviewId)',
      ].join('\n')
  }
}

/** In single quotes, a shell treats only the quote itself as special. */
export const toCurl = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

/** A JSON value as Python writes it. */
export function toPython(value: unknown, indent: string): string {
  if (value === null) return 'None'
  if (value === true) return 'True'
  if (value === false) return 'False'
  const inner = `${indent}    `
  if (Array.isArray(value)) {
    if (value.length === 0) return '[]'
    return `[\n${value.map(each => `${inner}${toPython(each, inner)},\n`).join('')}${indent}]`
  }
  if (typeof value === 'object') {
    const members = Object.entries(value)
    if (members.length === 0) return '{}'
    return `{\n${members.map(([name, each]) => `${inner}${pythonText(name)}: ${toPython(each, inner)},\n`).join('')}${indent}}`
  }
  return typeof value === 'string' ? pythonText(value) : JSON.stringify(value)
}

/** JSON's escapes are valid in Python too. */
const pythonText = (text: string): string =>
  JSON.stringify(text).replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029')
