import { t } from '@lingui/core/macro'
import type { UseMutationResult } from '@tanstack/react-query'
import { Check } from 'lucide-react'
import { type ComponentProps, type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { getFieldError } from '@/api/errors'
import { Button } from '@/components/button'
import { FormError } from '@/components/form-error'
import { LabeledField } from '@/components/input'
import { confirmBeforeClosing } from '@/lib/page-exit'
import { getOwnKey, readFromTab, storeInTab } from '@/lib/tab-storage'

type Options<Value, Body, Result> = {
  /** Stores unsaved changes in the tab, under this name. They survive going to another section and a reload. */
  storedAs?: string
  saved: Value
  save: UseMutationResult<Result, Error, Body>
  toBody: (value: Value) => Body
  onSaved?: (result: Result, sent: Value) => void
}

export type SettingsForm<Value extends object> = {
  value: Value
  dirty: boolean
  error: Error | null
  saving: boolean
  /** The latest action was a successful save. */
  saved: boolean
  change: (part: Partial<Value>) => void
  forget: () => void
  submit: (event: FormEvent) => void
}

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)

/** The value of a form, which is the saved one with the member's unsaved changes, and how it's saved. */
export function useForm<Value extends object, Body, Result>({
  storedAs,
  saved,
  save,
  toBody,
  onSaved,
}: Options<Value, Body, Result>): SettingsForm<Value> {
  const key = storedAs && getOwnKey(`settings.${storedAs}`)
  const [changes, setChanges] = useState<Partial<Value>>(
    () => (key && readFromTab<Partial<Value>>(key)) || {},
  )
  const value = { ...saved, ...changes }
  const dirty = (Object.keys(changes) as (keyof Value)[]).some(name => !isSame(changes[name], saved[name]))
  useEffect(() => (dirty && key ? confirmBeforeClosing(() => true) : undefined), [dirty, key])
  const keep = (next: Partial<Value>) => {
    if (key) storeInTab(key, Object.keys(next).length > 0 ? next : null)
    return next
  }
  const isSending = useRef(false)
  return {
    value,
    dirty,
    error: save.error,
    saving: save.isPending,
    saved: save.isSuccess,
    change: (part: Partial<Value>) => setChanges(keep({ ...changes, ...part })),
    forget: () => setChanges(keep({})),
    submit: (event: FormEvent) => {
      event.preventDefault()
      // `saving` is shown with the next render: until then, a double click would send everything twice.
      if (isSending.current) return
      isSending.current = true
      save.mutate(toBody(value), {
        onSettled: () => {
          isSending.current = false
        },
        onSuccess: result => {
          // Changes made while saving remain unsaved.
          setChanges(now => {
            const names = (Object.keys(now) as (keyof Value)[]).filter(name => now[name] !== value[name])
            return keep(Object.fromEntries(names.map(name => [name, now[name]])) as Partial<Value>)
          })
          onSaved?.(result, value)
        },
      })
    },
  }
}

/** A form, and the error that kept it from being saved and belongs to none of its fields. */
export function Form<Value extends object>({
  form,
  paths = [],
  id,
  className = 'flex flex-col gap-4',
  children,
}: {
  form: SettingsForm<Value>
  /** Of fields that aren't named like a part of the value. */
  paths?: readonly string[]
  id?: string
  className?: string
  children: ReactNode
}) {
  return (
    <form id={id} onSubmit={form.submit} className={className}>
      <FormError error={form.error} paths={[...Object.keys(form.value), ...paths]} />
      {children}
    </form>
  )
}

type TextOf<Value> = { [Name in keyof Value]: Value[Name] extends string ? Name : never }[keyof Value] &
  string

type FieldProps<Value extends object, Name extends TextOf<Value>> = Omit<
  ComponentProps<typeof LabeledField>,
  'error' | 'children'
> & {
  form: SettingsForm<Value>
  name: Name
  /** Of its errors, if it isn't named like its part of the value. */
  path?: string
  children: (
    attributes: Parameters<ComponentProps<typeof LabeledField>['children']>[0] & {
      value: Value[Name]
      onChange: (event: { target: { value: string } }) => void
    },
  ) => ReactNode
}

/** A control for a part of a form's value, with its label, help, and error. */
export function Field<Value extends object, Name extends TextOf<Value>>({
  form,
  name,
  path = name,
  children,
  ...rest
}: FieldProps<Value, Name>) {
  return (
    <LabeledField {...rest} error={getFieldError(form.error, path)}>
      {attributes =>
        children({
          ...attributes,
          value: form.value[name],
          onChange: ({ target }) => form.change({ [name]: target.value } as Partial<Value>),
        })
      }
    </LabeledField>
  )
}

/** The Save button of a form, and whether there are unsaved changes. */
export function SaveRow({
  form,
  label = t`Save`,
  saved = form.saved,
  onForget = form.forget,
}: {
  form: Pick<SettingsForm<object>, 'dirty' | 'saving' | 'saved' | 'forget'>
  label?: string
  saved?: boolean
  onForget?: () => void
}) {
  return (
    <div className="flex flex-wrap items-center gap-2">
      <Button type="submit" kind={form.dirty ? 'primary' : 'plain'} disabled={!form.dirty} busy={form.saving}>
        {label}
      </Button>
      {form.dirty && (
        <Button kind="quiet" onClick={onForget} disabled={form.saving}>
          {t`Discard changes`}
        </Button>
      )}
      <span role="status" className="flex items-center gap-1 text-muted text-sm">
        {form.saving && t`Saving…`}
        {!form.saving && form.dirty && t`Unsaved changes`}
        {!form.saving && !form.dirty && saved && (
          <>
            <Check className="icon-small text-good" /> {t`Saved`}
          </>
        )}
      </span>
    </div>
  )
}
