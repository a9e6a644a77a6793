import { linter } from '@codemirror/lint'
import type { Extension } from '@codemirror/state'
import { t } from '@lingui/core/macro'

type Load = () => Promise<Extension>

const script =
  (options: { jsx?: boolean; typescript?: boolean }): Load =>
  async () =>
    (await import('@codemirror/lang-javascript')).javascript(options)
const html: Load = async () => (await import('@codemirror/lang-html')).html()
const python: Load = async () => (await import('@codemirror/lang-python')).python()
const sql: Load = async () => (await import('@codemirror/lang-sql')).sql()
const yaml: Load = async () => (await import('@codemirror/lang-yaml')).yaml()
const json: Load = async () => (await import('@codemirror/lang-json')).json()

const LANGUAGES: Record<string, Load> = {
  javascript: script({ jsx: true }),
  js: script({ jsx: true }),
  jsx: script({ jsx: true }),
  typescript: script({ typescript: true }),
  ts: script({ typescript: true }),
  tsx: script({ jsx: true, typescript: true }),
  html,
  xml: html,
  python,
  py: python,
  sql,
  yaml,
  yml: yaml,
  json,
}

/** Highlighting for a language by its common name; for editable JSON, also its errors. */
export async function languageSupport(name: string | undefined, editable: boolean): Promise<Extension> {
  const language = name?.trim().toLowerCase() ?? ''
  const load = Object.hasOwn(LANGUAGES, language) ? LANGUAGES[language] : undefined
  if (load === undefined) return []
  const support = await load()
  if (language !== 'json' || !editable) return support
  const { jsonParseLinter } = await import('@codemirror/lang-json')
  const parse = jsonParseLinter()
  // Empty text isn't an error: it clears the field.
  return [
    support,
    linter(
      view =>
        view.state.doc.toString().trim() === ''
          ? []
          : // The parser's own message differs between browsers and is always in English.
            parse(view).map(found => ({
              ...found,
              message: t`Invalid JSON. Check for a missing comma, quote, or bracket.`,
            })),
      { delay: 300 },
    ),
  ]
}
