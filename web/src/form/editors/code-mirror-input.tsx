import { defaultKeymap, history, historyKeymap } from '@codemirror/commands'
import {
  bracketMatching,
  foldGutter,
  foldKeymap,
  indentOnInput,
  syntaxHighlighting,
} from '@codemirror/language'
import { lintGutter, lintKeymap } from '@codemirror/lint'
import { highlightSelectionMatches, search, searchKeymap } from '@codemirror/search'
import { Compartment, EditorState, type Extension } from '@codemirror/state'
import { drawSelection, EditorView, keymap, lineNumbers } from '@codemirror/view'
import { useEffect, useRef } from 'react'
import { styleNonce } from '@/lib/style-nonce'
import { getCodeMirrorPhrases } from './code-mirror-phrases'
import { editorTheme, highlightColors } from './code-mirror-theme'
import { languageSupport } from './languages'
import type { SourceInputProps } from './source-input'

/** Source text in CodeMirror. Tab leaves it, as in every other field. */
export default function CodeMirrorInput({ text, language, onChange, ties, required }: SourceInputProps) {
  const place = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView | null>(null)
  const tell = useRef(onChange)
  tell.current = onChange
  const editable = onChange !== undefined
  const first = useRef(text)
  const attributes = JSON.stringify({ ...ties, ...(required && { 'aria-required': 'true' }) })
  const settings = useRef(new Compartment())

  useEffect(() => {
    if (place.current === null) return
    const speaking = new Compartment()
    const made = new EditorView({
      parent: place.current,
      state: EditorState.create({
        doc: first.current,
        extensions: [
          EditorView.cspNonce.of(styleNonce()),
          EditorState.phrases.of(getCodeMirrorPhrases()),
          lineNumbers(),
          foldGutter(),
          history(),
          drawSelection(),
          indentOnInput(),
          bracketMatching(),
          highlightSelectionMatches(),
          search({ top: true }),
          syntaxHighlighting(highlightColors),
          editorTheme,
          EditorView.lineWrapping,
          keymap.of([...defaultKeymap, ...historyKeymap, ...searchKeymap, ...foldKeymap, ...lintKeymap]),
          settings.current.of([]),
          speaking.of([]),
          editable ? lintGutter() : [EditorState.readOnly.of(true), EditorView.editable.of(false)],
          EditorView.updateListener.of(update => {
            if (update.docChanged && update.transactions.some(each => !each.isUserEvent('outside')))
              tell.current?.(update.state.doc.toString())
          }),
        ],
      }),
    })
    view.current = made
    let isHere = true
    const speak = (support: Extension) => isHere && made.dispatch({ effects: speaking.reconfigure(support) })
    void languageSupport(language, editable).then(speak)
    return () => {
      isHere = false
      // Keep the typed text when the language changes.
      first.current = made.state.doc.toString()
      made.destroy()
      view.current = null
    }
  }, [language, editable])

  useEffect(() => {
    const named = JSON.parse(attributes) as Record<string, string>
    const texts = Object.fromEntries(Object.entries(named).map(([name, tie]) => [name, String(tie)]))
    view.current?.dispatch({
      effects: settings.current.reconfigure(
        EditorView.contentAttributes.of({ ...texts, dir: 'ltr', ...(!editable && { tabindex: '0' }) }),
      ),
    })
  }, [attributes, editable])

  // The value was changed elsewhere: reverted, or replaced by a draft.
  useEffect(() => {
    const shown = view.current
    if (shown === null || shown.state.doc.toString() === text) return
    shown.dispatch({ changes: { from: 0, to: shown.state.doc.length, insert: text }, userEvent: 'outside' })
  }, [text])

  return <div ref={place} />
}
