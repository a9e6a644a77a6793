import { t } from '@lingui/core/macro'
import { Plus } from 'lucide-react'
import { Button } from '@/components/button'
import { createRule } from '../rules/operations'
import { RuleSentence } from '../rules/sentence'
import { useEditor } from './editor-context'

/** The rules about one field or group, with a link to the rules panel. */
export function TargetRules({ target }: { target: string }) {
  const { document, apply, show } = useEditor()
  const own = document.rules.filter(rule => rule.target === target)
  const add = () => {
    apply(before => ({ ...before, rules: [...before.rules, createRule(before, target)] }))
    show('rules')
  }
  return (
    <div className="flex flex-col gap-2 border-line border-t pt-3">
      <h3 className="font-medium text-sm">{t`Visibility`}</h3>
      {own.length === 0 && <p className="text-muted text-sm">{t`Always visible`}</p>}
      {own.map((rule, index) => (
        <button
          // biome-ignore lint/suspicious/noArrayIndexKey: rules have no other identity
          key={index}
          type="button"
          onClick={() => show('rules')}
          className="rounded-md bg-sunken px-2 py-1 text-start text-sm hover:bg-selected"
        >
          <RuleSentence rule={rule} document={document} />
        </button>
      ))}
      <Button size="small" icon={<Plus />} onClick={add} className="w-fit">
        {t`Add rule`}
      </Button>
    </div>
  )
}
