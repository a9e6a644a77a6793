import { t } from '@lingui/core/macro'
import { useState } from 'react'
import { Input, LabeledField } from '@/components/input'
import { isIdentifier } from '../document/identifiers'

/**
 * The input for an ID that others refer to: it takes effect when it's complete, so that references never follow half a
 * word.
 */
export function IdentifierInput({
  value,
  taken,
  onChange,
  help,
  error,
}: {
  value: string
  taken: ReadonlySet<string>
  onChange: (id: string) => void
  help?: string
  error?: string | null
}) {
  const [typed, setTyped] = useState<string | null>(null)
  const text = typed ?? value
  const typedError =
    typed === null || typed === value
      ? null
      : !isIdentifier(typed)
        ? t`Start with a letter. Use only letters, numbers, _, and - (64 characters max).`
        : taken.has(typed)
          ? t`This ID is already in use.`
          : null
  const finish = () => {
    if (typed !== null && typedError === null && typed !== value) onChange(typed)
    setTyped(null)
  }
  return (
    <LabeledField label={t`ID`} help={help} error={typedError ?? error}>
      {attributes => (
        <Input
          {...attributes}
          spellCheck={false}
          autoComplete="off"
          className="font-mono text-sm"
          value={text}
          onChange={event => setTyped(event.target.value)}
          onBlur={finish}
          onKeyDown={event => event.key === 'Enter' && finish()}
        />
      )}
    </LabeledField>
  )
}
