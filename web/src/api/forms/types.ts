/** What the service says about review types, as the editor reads it. */

import type { Schemas } from '../client'
import type { paths } from '../schema'

export type FormRow = Schemas['FormRow']
export type Form = Schemas['Form']
export type Check = Schemas['Check']
export type Changes = Schemas['Changes']
export type Template = Schemas['Template']
export type Version = Schemas['Version']
/** What a review of a definition that is not saved would hold. */
export type TriedOut = Schemas['TriedOut']
export type TryOut = Schemas['TryOut']

export type CodeLanguage = paths['/forms/{formId}/code']['get']['parameters']['query']['language']

/**
 * A definition while somebody works on it. It may have any fault, which the service names, so it is no `NewForm` yet:
 * the document promises no more than an object where it takes one to be checked.
 */
export type Definition = Schemas['FormCheck']['form']
