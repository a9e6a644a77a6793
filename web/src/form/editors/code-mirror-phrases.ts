import { t } from '@lingui/core/macro'

/** CodeMirror's own texts, by its English phrases: https://codemirror.net/examples/translate/ */
export const getCodeMirrorPhrases = (): Record<string, string> => ({
  // Searching.
  Find: t({ message: 'Find', context: 'verb, search box' }),
  Replace: t({ message: 'Replace', context: 'verb, search box' }),
  next: t({ message: 'Next', context: 'button, next match' }),
  previous: t({ message: 'Previous', context: 'button, previous match' }),
  all: t({ message: 'All', context: 'button, select all matches' }),
  'match case': t`Match case`,
  'by word': t`Whole word`,
  regexp: t`Regular expression`,
  replace: t({ message: 'Replace', context: 'button, replace one match' }),
  'replace all': t`Replace all`,
  close: t`Close`,
  'current match': t({
    message: 'Current match',
    comment: 'Screen readers hear it before the text that was found',
  }),
  'replaced $ matches': t({
    message: 'Replaced $ matches',
    comment: 'Leave the $: the number takes its place',
  }),
  'replaced match on line $': t({
    message: 'Replaced match on line $',
    comment: 'Leave the $: the number takes its place',
  }),
  'on line': t({ message: 'on line', comment: 'Followed by a number; after “Current match”' }),
  'Go to line': t`Go to line`,
  go: t({ message: 'Go', context: 'button, go to a line' }),
  // Folding.
  'Fold line': t`Fold line`,
  'Unfold line': t`Unfold line`,
  'Folded lines': t({
    message: 'Folded lines',
    comment: 'Followed by two line numbers: “Folded lines 3 to 8”',
  }),
  'Unfolded lines': t({
    message: 'Unfolded lines',
    comment: 'Followed by two line numbers: “Unfolded lines 3 to 8”',
  }),
  to: t({ message: 'to', context: 'between two line numbers' }),
  'folded code': t`Folded code`,
  unfold: t`Unfold`,
  // Others.
  Diagnostics: t`Errors`,
  'No diagnostics': t`No errors`,
  'Selection deleted': t`Selection deleted`,
  'Control character': t`Control character`,
})
