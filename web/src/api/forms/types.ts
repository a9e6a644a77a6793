/** What the service says about review types, as the editor reads it. */

import type { Fault, Schemas } from '../client'

export type FormRow = Schemas['FormRow']
export type Form = Schemas['Form']

export type JsonValue = null | boolean | number | string | JsonValue[] | { [name: string]: JsonValue }
export type JsonMembers = { [name: string]: JsonValue }

export type Breaking = { kind: string; fieldId?: string | null; message: string }

export type Changes = {
  fromVersion: number
  openReviews: number
  breaking: Breaking[]
  compatible: Breaking[]
}

export type Check = { valid: boolean; errors: Fault[]; warnings: Fault[]; changes: Changes | null }

/** What a review of a definition that is not saved would hold. */
export type DefinitionPreview = {
  values: JsonMembers
  configs?: JsonMembers | null
  hidden: string[]
  responseValues: JsonMembers
  errors: Fault[]
  event: JsonMembers | null
}

export type Template = {
  templateId: string
  name: string
  summary: string
  category: string
  form: object
  sample: JsonMembers
}

export type Version = {
  version: number
  createdAt: string
  createdBy: string
  current: boolean
  definition: object
}

export type CodeLanguage = 'typescript' | 'python' | 'jsonschema'
