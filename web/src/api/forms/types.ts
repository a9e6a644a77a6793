/** What the service says about review types, as the editor reads it. */

import type { Schemas } from '../client'
import type { paths } from '../schema'

export type FormRow = Schemas['FormRow']
export type Form = Schemas['Form']
export type Check = Schemas['Check']
export type Changes = Schemas['Changes']
export type Template = Schemas['Template']
export type Version = Schemas['Version']
/** The result of trying out a definition that isn't saved. */
export type TriedOut = Schemas['TriedOut']
export type TryOut = Schemas['TryOut']

export type CodeLanguage = paths['/forms/{formId}/code']['get']['parameters']['query']['language']

/**
 * A definition that is being edited. It may have any error, which the service names, so it isn't a `NewForm` yet: the
 * OpenAPI document promises only an object for a definition that is checked.
 */
export type Definition = Schemas['FormCheck']['form']
