import { t } from '@lingui/core/macro'
import { ArrowLeft } from 'lucide-react'
import type { KeyboardEvent, ReactNode } from 'react'
import { getKeyCombination } from '@/lib/shortcuts'
import { find } from '../document/tree'
import { GroupSettings, TracksSettings } from './box-settings'
import { useEditor } from './editor-context'
import { FieldSettings } from './field-settings'
import { focusNode } from './focus'
import { FormSettings } from './form-settings'
import { IssueLines } from './issue-lines'
import { getNodeIssues } from './issues'
import { useHistoryKeys } from './use-history-keys'

/** The settings of the selected entry, or of the review type if nothing is selected. */
export function SettingsPanel() {
  const { document, selection, checked, select } = useEditor()
  const takeBack = useHistoryKeys()
  const found = find(document.layout, selection)
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.defaultPrevented || takeBack(event)) return
    if (getKeyCombination(event.nativeEvent) !== 'Escape' || !found) return
    focusNode(found.node.key)
    event.preventDefault()
    event.stopPropagation()
  }
  const about = (): ReactNode => {
    if (found === null) return <FormSettings />
    if (found.node.kind === 'field') {
      const { field: id } = found.node
      const field = document.fields.find(each => each.id === id)
      return field ? <FieldSettings key={found.node.key} node={found.node} field={field} /> : null
    }
    if (found.node.kind === 'group') return <GroupSettings key={found.node.key} node={found.node} />
    return <TracksSettings key={found.node.key} node={found.node} />
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it handles events that bubble up from the controls inside
    <div onKeyDown={onKeyDown} className="flex flex-col gap-4 px-4 py-4">
      {found && (
        <button
          type="button"
          onClick={() => select(null)}
          className="flex w-fit items-center gap-1 rounded text-accent text-sm hover:underline max-md:hidden"
        >
          <ArrowLeft className="icon-small" />
          {t`Review type`}
        </button>
      )}
      {found && <IssueLines issues={getNodeIssues(checked.issues, found.node.key)} />}
      {about()}
    </div>
  )
}
