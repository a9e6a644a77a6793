import { HighlightStyle } from '@codemirror/language'
import { EditorView } from '@codemirror/view'
import { tags } from '@lezer/highlight'

/** The editor in the colors of the page, which follow light and dark mode. */
export const editorTheme = EditorView.theme({
  '&': {
    backgroundColor: 'var(--surface)',
    border: '1px solid color-mix(in srgb, var(--line-strong) 60%, transparent)',
    borderRadius: '6px',
    color: 'var(--ink)',
    fontSize: '0.8125rem',
    maxHeight: '70dvh',
  },
  '&.cm-focused': { outline: '2px solid var(--accent)', outlineOffset: '1px' },
  '.cm-scroller': { fontFamily: 'var(--font-mono)', minHeight: '5rem', overflow: 'auto' },
  '.cm-gutters': {
    backgroundColor: 'var(--sunken)',
    border: 'none',
    borderRadius: '6px 0 0 6px',
    color: 'var(--muted)',
  },
  '.cm-activeLineGutter': { backgroundColor: 'var(--selected)' },
  '.cm-cursor': { borderLeftColor: 'var(--ink)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    backgroundColor: 'color-mix(in srgb, var(--accent) 28%, transparent)',
  },
  '.cm-selectionMatch': { backgroundColor: 'var(--warn-soft)' },
  '.cm-matchingBracket': { backgroundColor: 'var(--accent-soft)', outline: 'none' },
  '.cm-panels': { backgroundColor: 'var(--raised)', color: 'var(--ink)' },
  '.cm-tooltip': { backgroundColor: 'var(--raised)', border: '1px solid var(--line)', color: 'var(--ink)' },
  '.cm-foldPlaceholder': {
    backgroundColor: 'var(--sunken)',
    border: '1px solid var(--line)',
    color: 'var(--muted)',
  },
})

export const highlightColors = HighlightStyle.define([
  { tag: [tags.keyword, tags.operatorKeyword, tags.modifier], color: 'light-dark(#8a2be2, #d2a8ff)' },
  { tag: [tags.string, tags.special(tags.string), tags.regexp], color: 'var(--good)' },
  { tag: [tags.number, tags.bool, tags.null, tags.atom], color: 'var(--warn)' },
  {
    tag: [tags.propertyName, tags.attributeName, tags.definition(tags.variableName)],
    color: 'var(--accent)',
  },
  {
    tag: [tags.function(tags.variableName), tags.className, tags.typeName, tags.tagName],
    color: 'light-dark(#0b5c8a, #79c0ff)',
  },
  { tag: [tags.comment, tags.meta], color: 'var(--muted)', fontStyle: 'italic' },
  { tag: tags.heading, fontWeight: '600' },
  { tag: tags.invalid, color: 'var(--bad)' },
])
