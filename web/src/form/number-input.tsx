import { type ComponentProps, useEffect, useRef, useState } from 'react'
import { Input } from '@/components/input'
import { classes } from '@/lib/classes'
import { enterNumber } from './error-text'
import { parseNumberOrText, stepNumber, toTypedText } from './number-text'

type Props = Omit<ComponentProps<'input'>, 'type' | 'value' | 'onChange' | 'min' | 'max'> & {
  value: number | undefined
  onChange: (value: number | undefined) => void
  whole?: boolean
  min?: number | undefined
  max?: number | undefined
}

/**
 * A number in the format of the page's language. The browser's own inputs follow the browser's language, and drop an
 * unexpected comma: `1,5` becomes 15. While the text can't be parsed, the last number stays.
 */
export function NumberInput({ value, onChange, whole = false, min, max, className, ...rest }: Props) {
  const [typed, setTyped] = useState<string | null>(null)
  const isReadable = (read: unknown) =>
    read === null || (typeof read === 'number' && (!whole || Number.isInteger(read)))
  const isInvalid = typed !== null && !isReadable(parseNumberOrText(typed))
  const input = useRef<HTMLInputElement>(null)
  // Otherwise Enter would submit the form with the last number.
  useEffect(() => input.current?.setCustomValidity(isInvalid ? enterNumber() : ''), [isInvalid])
  return (
    <>
      <Input
        ref={input}
        {...rest}
        {...(isInvalid && { 'aria-invalid': true })}
        inputMode={whole ? 'numeric' : 'decimal'}
        autoComplete="off"
        className={classes('tabular-nums', className)}
        value={typed ?? toTypedText(value ?? null)}
        onChange={event => {
          const text = event.target.value
          const read = parseNumberOrText(text)
          setTyped(text)
          if (isReadable(read)) onChange((read as number | null) ?? undefined)
        }}
        onKeyDown={event => {
          const next = stepNumber(event, value ?? null, { min, max })
          if (next === null) return
          event.preventDefault()
          setTyped(null)
          onChange(next)
        }}
        onBlur={() => setTyped(null)}
      />
      {isInvalid && (
        <p role="alert" className="text-bad text-sm">
          {enterNumber()}
        </p>
      )}
    </>
  )
}
