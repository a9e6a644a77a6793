/** Common names of HTML elements. */

import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { formatList, i18n } from '@/lib/i18n'

const KINDS: readonly (readonly [MessageDescriptor, string])[] = [
  [msg`images`, 'img picture map area'],
  [msg`tables`, 'table colgroup col'],
  [msg`videos`, 'video'],
  [msg`audio`, 'audio'],
  [msg`embedded pages`, 'iframe frame frameset object embed param portal'],
  [
    msg`drawings`,
    'svg canvas g path circle ellipse rect line polyline polygon text tspan defs use symbol lineargradient radialgradient stop clippath mask filter marker pattern',
  ],
  [
    msg`formulas`,
    'math mrow mi mn mo ms mtext mspace mfrac msqrt mroot msub msup msubsup munder mover munderover mtable mtr mtd',
  ],
  [msg`scripts`, 'script noscript template slot'],
  [msg`style sheets`, 'style link'],
  [
    msg`form controls`,
    'form input button select option optgroup textarea label fieldset legend datalist output progress meter',
  ],
  [msg`subscripts`, 'sub'],
  [msg`superscripts`, 'sup'],
  [msg`highlights`, 'mark'],
  [msg`definition lists`, 'dl dt dd'],
  [msg`collapsible sections`, 'details summary'],
  [msg`figures`, 'figure figcaption'],
  [msg`page sections`, 'main header footer nav aside address hgroup search dialog menu'],
  [
    msg`text styles`,
    'font center big tt nobr kbd samp var cite q dfn time data bdi bdo ruby rb rt rp rtc acronym',
  ],
]

const NAMES = new Map(KINDS.flatMap(([name, tags]) => tags.split(' ').map(tag => [tag, name] as const)))
const OTHER = msg`other HTML elements`

/** `images, tables, and scripts`. */
export function elementNames(tags: readonly string[]): string {
  // Elements without a common name come last.
  const known = tags.flatMap(tag => NAMES.get(tag.toLowerCase()) ?? [])
  const names = known.length === tags.length ? known : [...known, OTHER]
  return formatList(new Set(names.map(name => i18n._(name))))
}
