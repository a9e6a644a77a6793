import { t } from '@lingui/core/macro'
import { CopyPlus, ListFilter, Plus, Trash2 } from 'lucide-react'
import { Button, IconButton } from '@/components/button'
import { NativeSelect } from '@/components/input'
import { EmptyState } from '@/components/status'
import type { Rule } from '@/form/types'
import { getGroups } from '../document/tree'
import type { EditorDocument } from '../document/types'
import { useEditor } from '../editor/editor-context'
import { IssueLines } from '../editor/issue-lines'
import { getRuleIssues } from '../editor/issues'
import { ConditionEditor } from './condition-editor'
import { createFirstCondition, createRule } from './operations'
import { getTargetName, RuleSentence } from './sentence'

/** Rules that show and hide fields and groups, each explained in a sentence. */
export default function RulesPanel() {
  const { document, apply } = useEditor()
  const targets = [...new Set(document.rules.map(rule => rule.target))]
  const first = getGroups(document.layout)[0]?.id ?? document.fields.at(-1)?.id
  const change = (rules: Rule[], about?: string) => apply(before => ({ ...before, rules }), about)
  const add = () => first !== undefined && change([...document.rules, createRule(document, first)])
  return (
    <div className="mx-auto flex w-full max-w-3xl flex-col gap-6 px-4 py-6">
      <header className="flex flex-wrap items-start gap-x-6 gap-y-3">
        <div className="min-w-0 flex-1 basis-72">
          <h2 className="font-semibold text-lg">{t`Rules`}</h2>
          <p className="text-muted">
            {t`A matching Hide rule always hides its field or group. A field or group that has Show rules appears only if at least one of them matches. Hidden fields aren't validated or included in the result.`}
          </p>
        </div>
        {document.rules.length > 0 && (
          <Button kind="primary" icon={<Plus />} onClick={add}>
            {t`Add rule`}
          </Button>
        )}
      </header>
      {document.rules.length === 0 && (
        <EmptyState
          icon={<ListFilter />}
          title={t`No rules yet`}
          action={
            <Button kind="primary" icon={<Plus />} onClick={add} disabled={document.fields.length === 0}>
              {t`Add rule`}
            </Button>
          }
        >
          {t`Rules show or hide fields and groups based on what the reviewer enters.`}
        </EmptyState>
      )}
      {targets.map(target => (
        <section key={target} className="flex flex-col gap-3">
          <h3 className="font-medium text-muted text-sm">{t`Rules for ${{ name: getTargetName(document, target).name }}`}</h3>
          {document.rules.map((rule, index) =>
            rule.target === target ? (
              <RuleCard
                // biome-ignore lint/suspicious/noArrayIndexKey: rules have no other identity
                key={index}
                rule={rule}
                index={index}
                document={document}
                onChange={(next, about) =>
                  change(
                    document.rules.map((each, at) => (at === index ? next : each)),
                    about && `rule ${index} ${about}`,
                  )
                }
                onRemove={() => change(document.rules.filter((_, at) => at !== index))}
                onDuplicate={() =>
                  change([...document.rules.slice(0, index + 1), rule, ...document.rules.slice(index + 1)])
                }
              />
            ) : null,
          )}
        </section>
      ))}
    </div>
  )
}

function RuleCard({
  rule,
  index,
  document,
  onChange,
  onRemove,
  onDuplicate,
}: {
  rule: Rule
  index: number
  document: EditorDocument
  onChange: (rule: Rule, about?: string) => void
  onRemove: () => void
  onDuplicate: () => void
}) {
  const { checked } = useEditor()
  const target = getTargetName(document, rule.target)
  return (
    <article
      id={`rule-${index}`}
      tabIndex={-1}
      className="flex flex-col gap-3 rounded-lg border border-line bg-surface p-3"
    >
      <div className="flex items-start gap-2">
        <p className="min-w-0 flex-1 [overflow-wrap:anywhere]">
          <RuleSentence rule={rule} document={document} />
        </p>
        <IconButton size="small" label={t`Duplicate rule`} icon={<CopyPlus />} onClick={onDuplicate} />
        <IconButton size="small" label={t`Delete rule`} icon={<Trash2 />} onClick={onRemove} />
      </div>
      <IssueLines issues={getRuleIssues(checked.issues, index)} />
      <div className="flex flex-wrap items-center gap-2">
        <NativeSelect
          aria-label={t`Action`}
          className="w-24"
          value={rule.effect}
          onChange={event => onChange({ ...rule, effect: event.target.value as Rule['effect'] })}
        >
          <option value="show">{t({ message: 'Show', context: 'rule' })}</option>
          <option value="hide">{t({ message: 'Hide', context: 'rule' })}</option>
        </NativeSelect>
        <NativeSelect
          aria-label={t`Field or group`}
          className="w-auto min-w-0 max-w-64"
          value={rule.target}
          onChange={event => onChange({ ...rule, target: event.target.value })}
        >
          {target.isGone && <option value={rule.target}>{t`${{ field: rule.target }} (deleted)`}</option>}
          <optgroup label={t({ message: 'Groups', context: 'groups of fields' })}>
            {getGroups(document.layout).map(group => (
              <option key={group.id} value={group.id}>
                {group.label || group.id}
              </option>
            ))}
          </optgroup>
          <optgroup label={t`Fields`}>
            {document.fields.map(field => (
              <option key={field.id} value={field.id}>
                {field.label || field.id}
              </option>
            ))}
          </optgroup>
        </NativeSelect>
        <span>{t({ message: 'when', comment: 'In a row of controls: Show [field] when [conditions]' })}</span>
      </div>
      <ConditionEditor
        when={rule.when}
        document={document}
        fresh={() => createFirstCondition(document, rule.target)}
        depth={1}
        onChange={(when, about) => onChange({ ...rule, when }, about)}
      />
    </article>
  )
}
