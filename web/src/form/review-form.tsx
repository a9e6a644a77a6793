import { t } from '@lingui/core/macro'
import { type KeyboardEvent as ReactKeyboardEvent, useCallback, useMemo, useRef, useState } from 'react'
import { classes } from '@/lib/classes'
import { getKeyCombination, useShortcuts } from '@/lib/shortcuts'
import { useApprovalNotice } from './approval-notices'
import { FieldEditor } from './field-editor'
import { DEFAULT_PREFIX, fieldElementId, focusFieldAround, isInField } from './focus'
import { FormContext, type FormContextValue } from './form-context'
import { Layout } from './layout'
import { getPlacedFields, getReadingOrder } from './layout-tree'
import { getLocation, getMediaNotice } from './media-source'
import { getPictures, getShownMedia } from './pictures'
import type { FieldError, FormDefinition, Json, Media, Suggestion, Values } from './types'
import { filterSentBack } from './unmapped'
import { UnmappedValues } from './unmapped-values'
import { UploadNotices } from './upload-notices'
import { Uploads, UploadsContext } from './uploads'
import { getChosenIds, getOptions, isChoice, isMultiple, toChoiceValue } from './value-types/choices'
import { getFieldConfig, getHiddenTargets, isCorrectable } from './values'

export type ReviewFormProps = {
  form: FormDefinition
  suggestion: Suggestion
  values: Values
  onChange: (fieldId: string, value: Json) => void
  /** Reverts a field to the suggestion. */
  onRevert: (fieldId: string) => void
  errors?: readonly FieldError[]
  readOnly?: boolean
  media?: Media
  /** Stores a file and returns its URL. Without it, only URLs can be entered. */
  uploads?: (file: File) => Promise<string>
  /** Retries copying a file. */
  retryMedia?: (url: string) => Promise<void>
  /** A trigger form: its empty fields can be filled in, whatever `editable` says. */
  trigger?: boolean
  /** Distinguishes several forms on one page. */
  idPrefix?: string
}

const WIDTHS = {
  narrow: 'max-w-[36rem]',
  medium: 'max-w-[48rem]',
  wide: 'max-w-[72rem]',
  full: 'max-w-none',
} as const
const NO_ERRORS: readonly FieldError[] = []
const NO_MEDIA: Media = {}
const REVERT = 'mod+shift+Backspace'
const DIGITS = ['1', '2', '3', '4', '5', '6', '7', '8', '9']

/** The fields of a review: shown, edited, compared with the suggestion, and hidden by rules as on the server. */
export function ReviewForm(props: ReviewFormProps) {
  const { form, suggestion, values, readOnly = false, trigger = false, media = NO_MEDIA, uploads } = props
  const idPrefix = props.idPrefix ?? DEFAULT_PREFIX
  const errors = props.errors ?? NO_ERRORS
  const fields = useMemo(() => new Map(form.fields.map(field => [field.id, field])), [form])
  const hidden = useMemo(() => getHiddenTargets(form, suggestion, values), [form, suggestion, values])
  const unmapped = useMemo(
    () => filterSentBack(suggestion.unmapped ?? [], id => hidden.has(id)),
    [suggestion.unmapped, hidden],
  )
  const errorsByField = useMemo(() => groupByField(errors), [errors])
  const isShown = (id: string) => Object.hasOwn(suggestion.values, id) && fields.has(id) && !hidden.has(id)
  const isFixed = (id: string) => {
    const field = fields.get(id)
    if (readOnly || field === undefined) return true
    return !isCorrectable(field, suggestion.values[id] ?? null, trigger, getFieldConfig(suggestion, id))
  }
  const keyed =
    getReadingOrder(form).find(id => fields.get(id)?.type === 'buttons' && isShown(id) && !isFixed(id)) ??
    null

  // Callbacks stay the same for the life of the form, so that a keystroke renders one field only.
  const latest = useRef({ props, isShown, isFixed, keyed })
  latest.current = { props, isShown, isFixed, keyed }
  const change = useCallback((id: string, value: Json) => latest.current.props.onChange(id, value), [])
  const revert = useCallback((id: string) => latest.current.props.onRevert(id), [])
  const pictures = useCallback(
    () => getPictures(latest.current.props.form, latest.current.props.values, latest.current.isShown),
    [],
  )
  const upload = useCallback((file: File) => {
    const { uploads } = latest.current.props
    return uploads === undefined ? Promise.reject(new Error(t`You can't upload files here.`)) : uploads(file)
  }, [])
  const retryMedia = useCallback(async (url: string) => await latest.current.props.retryMedia?.(url), [])
  const mayRetryMedia = props.retryMedia !== undefined
  const { fileCache, notices, later } = media
  const takesUploads = uploads !== undefined
  const context = useMemo<FormContextValue>(
    () => ({
      idPrefix,
      media: { fileCache, notices, later },
      uploads: takesUploads ? upload : undefined,
      retryMedia: mayRetryMedia ? retryMedia : undefined,
      change,
      revert,
      pictures,
    }),
    [
      idPrefix,
      fileCache,
      notices,
      later,
      takesUploads,
      upload,
      mayRetryMedia,
      retryMedia,
      change,
      revert,
      pictures,
    ],
  )
  const [formUploads] = useState(() => new Uploads())
  const sent = new Set(getShownMedia(form, suggestion.values, isShown).map(each => each.address))
  const stillShown = getShownMedia(form, values, isShown).filter(each => sent.has(each.address))
  const unseen = getMediaNotice(stillShown, media, getLocation())
  useApprovalNotice(unseen && { level: unseen.isFailed ? 'confirm' : 'info', text: unseen.text })
  useFormShortcuts(latest, idPrefix, readOnly)
  // Handled before the editors, some of which use these keys themselves.
  const onKeyDownCapture = (event: ReactKeyboardEvent) => {
    if (readOnly || getKeyCombination(event.nativeEvent) !== REVERT) return
    event.preventDefault()
    event.stopPropagation()
    revertFocused(latest, idPrefix)
  }

  const render = (id: string) => {
    const field = fields.get(id)
    if (field === undefined || !isShown(id)) return null
    return (
      <FieldEditor
        key={id}
        field={field}
        value={(Object.hasOwn(values, id) ? values[id] : suggestion.values[id]) ?? null}
        suggested={suggestion.values[id] ?? null}
        config={getFieldConfig(suggestion, id)}
        readOnly={isFixed(id)}
        errors={errorsByField.get(id) ?? NO_ERRORS}
        keyed={id === keyed}
      />
    )
  }
  const placed = useMemo(() => new Set(getPlacedFields(form.layout)), [form])
  const unplaced = form.fields.filter(field => !placed.has(field.id))
  return (
    <FormContext value={context}>
      <UploadsContext value={formUploads}>
        <UploadNotices uploads={formUploads} />
        <div
          className={classes('@container w-full min-w-0', WIDTHS[form.width])}
          onKeyDownCapture={onKeyDownCapture}
        >
          <div className="flex min-w-0 flex-col gap-5">
            <Layout
              nodes={form.layout ?? []}
              render={render}
              isShown={isShown}
              isHiddenGroup={id => hidden.has(id)}
            />
            {unplaced.map(field => render(field.id))}
          </div>
          <UnmappedValues unmapped={unmapped} />
        </div>
      </UploadsContext>
    </FormContext>
  )
}

function groupByField(errors: readonly FieldError[]): ReadonlyMap<string, FieldError[]> {
  const groups = new Map<string, FieldError[]>()
  for (const error of errors) groups.set(error.fieldId, [...(groups.get(error.fieldId) ?? []), error])
  return groups
}

type Latest = {
  current: { props: ReviewFormProps; isFixed: (id: string) => boolean; keyed: string | null }
}

function revertFocused(latest: Latest, idPrefix: string) {
  const around = document.activeElement?.closest<HTMLElement>('[data-field]')
  const id = around?.dataset.field
  if (id === undefined || around?.id !== fieldElementId(id, idPrefix) || latest.current.isFixed(id)) return
  latest.current.props.onRevert(id)
}

/**
 * 1 to 9 pick options in the focused field, else in the first field with buttons; one shortcut reverts the focused
 * field.
 */
function useFormShortcuts(latest: Latest, idPrefix: string, readOnly: boolean) {
  useShortcuts(
    useMemo(() => {
      if (readOnly) return []
      const choose = (event: KeyboardEvent) => {
        const { props, keyed, isFixed } = latest.current
        const here = document.activeElement?.closest<HTMLElement>('[data-field]')?.dataset.field
        const focused = props.form.fields.find(
          each => each.id === here && isChoice(each) && !isFixed(each.id),
        )
        const field = focused ?? props.form.fields.find(each => each.id === keyed)
        if (field === undefined || !isChoice(field)) return
        const options = getOptions(field, getFieldConfig(props.suggestion, field.id)) ?? []
        const option = options[Number(event.key) - 1]
        if (option === undefined) return
        const chosen = getChosenIds(props.values[field.id] ?? null)
        const others = chosen.filter(id => id !== option.id)
        const isTakenBack = chosen.includes(option.id) && (isMultiple(field) || !field.required)
        const next = isTakenBack ? others : isMultiple(field) ? [...chosen, option.id] : [option.id]
        props.onChange(
          field.id,
          toChoiceValue(field, options, next, props.suggestion.values[field.id] ?? null),
        )
      }
      return [
        {
          keys: DIGITS,
          label: t`Choose an option`,
          group: t({ message: 'Review', context: 'noun' }),
          run: choose,
          keyboardOnly: true,
        },
        {
          keys: REVERT,
          label: t`Revert field to suggestion`,
          group: t({ message: 'Review', context: 'noun' }),
          run: () => revertFocused(latest, idPrefix),
          whileTyping: true,
          keyboardOnly: true,
        },
        {
          keys: 'Escape',
          label: t`Leave field`,
          group: t({ message: 'Review', context: 'noun' }),
          run: event => focusFieldAround(event.target),
          when: isInField,
          whileTyping: true,
          keyboardOnly: true,
        },
      ]
    }, [latest, idPrefix, readOnly]),
  )
}
