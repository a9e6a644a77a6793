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
import type { ControlAttributes } from '../editor-props'
import { getCodeMirrorPhrases } from './code-mirror-phrases'
import { editorTheme, highlightColors } from './code-mirror-theme'
import { languageSupport } from './languages'

export type SourceInputProps = {
  text: string
  language?: string
  /** Absent if the text is read-only. */
  onChange?: (text: string) => void
  attributes: ControlAttributes
  required?: boolean
}

/** Source text in CodeMirror. Tab leaves it, as in every other field. */
export default function CodeMirrorInput({
  text,
  language,
  onChange,
  attributes,
  required,
}: SourceInputProps) {
  const container = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView | null>(null)
  const onChangeRef = useRef(onChange)
  onChangeRef.current = onChange
  const editable = onChange !== undefined
  const initialText = useRef(text)
  const serializedAttributes = JSON.stringify({ ...attributes, ...(required && { 'aria-required': 'true' }) })
  const attributesCompartment = useRef(new Compartment())

  useEffect(() => {
    if (container.current === null) return
    const languageCompartment = new Compartment()
    const editor = new EditorView({
      parent: container.current,
      state: EditorState.create({
        doc: initialText.current,
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
          attributesCompartment.current.of([]),
          languageCompartment.of([]),
          editable ? lintGutter() : [EditorState.readOnly.of(true), EditorView.editable.of(false)],
          EditorView.updateListener.of(update => {
            if (
              update.docChanged &&
              update.transactions.some(transaction => !transaction.isUserEvent('outside'))
            )
              onChangeRef.current?.(update.state.doc.toString())
          }),
        ],
      }),
    })
    view.current = editor
    let isMounted = true
    const setLanguage = (support: Extension) =>
      isMounted && editor.dispatch({ effects: languageCompartment.reconfigure(support) })
    void languageSupport(language, editable).then(setLanguage)
    return () => {
      isMounted = false
      // Keep the typed text when the language changes.
      initialText.current = editor.state.doc.toString()
      editor.destroy()
      view.current = null
    }
  }, [language, editable])

  useEffect(() => {
    const attributesByName = JSON.parse(serializedAttributes) as Record<string, string>
    const contentAttributes = Object.fromEntries(
      Object.entries(attributesByName).map(([name, value]) => [name, String(value)]),
    )
    view.current?.dispatch({
      effects: attributesCompartment.current.reconfigure(
        EditorView.contentAttributes.of({
          ...contentAttributes,
          dir: 'ltr',
          ...(!editable && { tabindex: '0' }),
        }),
      ),
    })
  }, [serializedAttributes, editable])

  // The value was changed elsewhere: reverted, or replaced by a draft.
  useEffect(() => {
    const current = view.current
    if (current === null || current.state.doc.toString() === text) return
    current.dispatch({
      changes: { from: 0, to: current.state.doc.length, insert: text },
      userEvent: 'outside',
    })
  }, [text])

  return <div ref={container} />
}
