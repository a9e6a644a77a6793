import { plural, t } from '@lingui/core/macro'
import { CircleAlert, CircleCheck, TriangleAlert } from 'lucide-react'
import { Button } from '@/components/button'
import { Menu, MenuItem, MenuLabel } from '@/components/menu'
import { languageLabel } from '@/lib/language-names'
import { getMemberName } from '../document/merge'
import { find } from '../document/tree'
import { getTargetName } from '../rules/sentence'
import { useEditor } from './editor-context'
import { focusNode, focusText } from './focus'
import type { Issue } from './issues'
import { getName } from './names'

const BEHAVIOR = new Set([
  'description',
  'defaultReviewers',
  'webhookUrl',
  'toolWebhookUrl',
  'timeLimits',
  'autoApprove',
  'allowRetry',
  'decideFromChat',
  'allowExternalReviewers',
  'trigger',
  'unmapped',
])

const MAX_LISTED = 50

function countIssues(errors: number, warnings: number): string {
  if (warnings === 0) return plural(errors, { one: '# error', other: '# errors' })
  if (errors === 0) return plural(warnings, { one: '# warning', other: '# warnings' })
  return t`${plural(errors, { one: '# error', other: '# errors' })}, ${plural(warnings, { one: '# warning', other: '# warnings' })}`
}

/** The number of errors and warnings, each with a link to its place. */
export function IssueMenu({ open, onOpenChange }: { open: boolean; onOpenChange: (open: boolean) => void }) {
  const { document, checked, select, show } = useEditor()
  const { issues, errors, warnings, isChecking, retry } = checked
  const go = ({ place }: Issue) => {
    if (place.kind === 'rule') {
      show('rules')
      requestAnimationFrame(() => window.document.getElementById(`rule-${place.index}`)?.focus())
    } else if (place.kind === 'translation') {
      show('translations', place.language)
      focusText(place.path)
    } else if (place.kind === 'node') {
      show('design')
      select(place.key)
      focusNode(place.key)
    } else if (BEHAVIOR.has(place.member)) show('behavior')
    else {
      show('design')
      select(null)
    }
  }
  const where = ({ place }: Issue): string => {
    if (place.kind === 'rule') {
      const rule = document.rules[place.index]
      return rule ? t`Rule for ${{ target: getTargetName(document, rule.target).name }}` : t`Rule`
    }
    if (place.kind === 'translation')
      return place.language === undefined
        ? t`Translations`
        : t`Translations: ${{ language: languageLabel(place.language) }}`
    if (place.kind === 'member') return getMemberName(place.member) ?? t`Review type`
    const node = find(document.layout, place.key)?.node
    return node ? getName(document, node) : t`Review type`
  }
  if (retry !== null)
    return (
      <span role="status" className="flex items-center gap-1.5 px-2 text-sm text-warn">
        <TriangleAlert />
        {t`Couldn't check for errors`}
        <Button size="small" kind="quiet" onClick={retry}>
          {t`Try again`}
        </Button>
      </span>
    )
  if (issues.length === 0)
    return (
      <span role="status" className="flex items-center gap-1.5 px-2 text-muted text-sm">
        <CircleCheck className={isChecking ? 'opacity-40' : 'text-good'} />
        <span className="max-lg:sr-only lg:min-w-20">
          {isChecking ? <span aria-hidden="true">{t`Checking…`}</span> : t`No errors`}
        </span>
      </span>
    )
  const more = issues.length - MAX_LISTED
  return (
    <Menu
      open={open}
      onOpenChange={onOpenChange}
      trigger={
        <Button
          size="small"
          kind="quiet"
          icon={errors > 0 ? <CircleAlert className="text-bad" /> : <TriangleAlert className="text-warn" />}
        >
          {countIssues(errors, warnings)}
        </Button>
      }
    >
      <MenuLabel>
        {t({ message: 'Go to', comment: 'Heading above a list of errors; each leads to its place' })}
      </MenuLabel>
      {issues.slice(0, MAX_LISTED).map(issue => (
        <MenuItem
          key={`${issue.severity} ${issue.path} ${issue.message}`}
          icon={issue.severity === 'error' ? <CircleAlert /> : <TriangleAlert />}
          onSelect={() => go(issue)}
        >
          <span className="block max-w-96">
            <span className="font-medium">{where(issue)}:</span> {issue.message}
          </span>
        </MenuItem>
      ))}
      {more > 0 && <MenuLabel>{plural(more, { one: '# more', other: '# more' })}</MenuLabel>}
    </Menu>
  )
}
