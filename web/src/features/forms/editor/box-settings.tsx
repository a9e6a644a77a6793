import { t } from '@lingui/core/macro'
import { Button } from '@/components/button'
import { Input, LabeledField } from '@/components/input'
import { getTakenIds } from '../document/identifiers'
import { changeNode, MAX_COLUMNS, MAX_GRID_COLUMNS, setColumnCount, unwrap } from '../document/operations'
import { renameGroup } from '../document/rename'
import type { EditorNode, NodeOf } from '../document/types'
import { useEditor } from './editor-context'
import { LABEL_INPUT } from './focus'
import { IdentifierInput } from './identifier-input'
import { TargetRules } from './target-rules'

export function GroupSettings({ node }: { node: NodeOf<'group'> }) {
  const { document, apply } = useEditor()
  return (
    <>
      <h2 className="font-semibold">{t`Group`}</h2>
      <LabeledField label={t`Heading`}>
        {attributes => (
          <Input
            {...attributes}
            id={LABEL_INPUT}
            aria-label={t`Group heading`}
            maxLength={200}
            autoComplete="off"
            value={node.label}
            onChange={event =>
              apply(
                before =>
                  changeNode(before, node.key, each =>
                    each.kind === 'group' ? { ...each, label: event.target.value } : each,
                  ),
                `label ${node.key}`,
              )
            }
          />
        )}
      </LabeledField>
      <IdentifierInput
        value={node.id}
        taken={getTakenIds(document)}
        help={t`Identifies this group in rules.`}
        onChange={id => apply(before => renameGroup(before, node.id, id))}
      />
      <TargetRules target={node.id} />
      <Unwrap node={node} />
    </>
  )
}

/** Columns and grids: how many are side by side. */
export function TracksSettings({ node }: { node: NodeOf<'columns'> | NodeOf<'grid'> }) {
  const { apply } = useEditor()
  const count = node.kind === 'columns' ? node.columns.length : node.columns
  const most = node.kind === 'columns' ? MAX_COLUMNS : MAX_GRID_COLUMNS
  const set = (wanted: number) => {
    if (!Number.isInteger(wanted) || wanted < 1 || wanted > most) return
    apply(before =>
      node.kind === 'columns'
        ? setColumnCount(before, node.key, wanted)
        : changeNode(before, node.key, each => (each.kind === 'grid' ? { ...each, columns: wanted } : each)),
    )
  }
  return (
    <>
      <h2 className="font-semibold">{node.kind === 'columns' ? t`Columns` : t`Grid`}</h2>
      <LabeledField label={t`Number of columns`} help={t`Columns stack on narrow screens.`}>
        {attributes => (
          <Input
            {...attributes}
            id={LABEL_INPUT}
            aria-label={t`Number of columns`}
            type="number"
            min={1}
            max={most}
            value={count}
            onChange={event => set(event.target.valueAsNumber)}
          />
        )}
      </LabeledField>
      <Unwrap node={node} />
    </>
  )
}

function Unwrap({ node }: { node: Exclude<EditorNode, NodeOf<'field'>> }) {
  const { apply, select } = useEditor()
  const label = {
    group: t`Ungroup`,
    columns: t`Remove columns, keep fields`,
    grid: t`Remove grid, keep fields`,
  }[node.kind]
  return (
    <Button
      onClick={() => {
        apply(before => unwrap(before, node.key))
        select(null)
      }}
    >
      {label}
    </Button>
  )
}
