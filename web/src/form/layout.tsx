import { Fragment, type ReactNode } from 'react'
import { classes } from '@/lib/classes'
import { getPlacedFields } from './layout-tree'
import type { LayoutNode } from './types'

type Props = {
  nodes: readonly LayoutNode[]
  /** Renders a field; null if it isn't on the page now. */
  render: (fieldId: string) => ReactNode
  isShown: (fieldId: string) => boolean
  isHiddenGroup: (groupId: string) => boolean
}

const STACK = 'flex min-w-0 flex-col gap-5'
/** Side by side if the container is at least 640 pixels wide, whatever the window's width. */
const SIDE_BY_SIDE =
  'grid min-w-0 gap-x-5 gap-y-5 @min-[640px]:grid-cols-[repeat(var(--columns),minmax(0,1fr))]'

/**
 * Fields in the layout of the review type. Keys follow the definition, so that nothing remounts when rules hide
 * something.
 */
export function Layout({ nodes, ...rest }: Props) {
  return nodes.map((node, index) => <Fragment key={getKey(node, index)}>{place(node, rest)}</Fragment>)
}

const getKey = (node: LayoutNode, index: number): string =>
  node.kind === 'field'
    ? `field ${node.field}`
    : node.kind === 'group'
      ? `group ${node.id}`
      : `${node.kind} ${index}`

function place(node: LayoutNode, rest: Omit<Props, 'nodes'>): ReactNode {
  if (node.kind === 'field') return rest.render(node.field)
  if (!hasContent(node, rest)) return null
  if (node.kind === 'columns') {
    const columns = node.columns.map((column, index) => ({ column, key: `column ${index}` }))
    const shown = columns.filter(({ column }) => column.some(each => hasContent(each, rest)))
    return (
      <div className={SIDE_BY_SIDE} style={{ '--columns': shown.length } as React.CSSProperties}>
        {shown.map(({ column, key }) => (
          <div key={key} className={classes(STACK, '@container')}>
            <Layout nodes={column} {...rest} />
          </div>
        ))}
      </div>
    )
  }
  if (node.kind === 'grid') {
    return (
      <div className={SIDE_BY_SIDE} style={{ '--columns': node.columns } as React.CSSProperties}>
        {node.children.map((child, index) => (
          <div key={getKey(child, index)} className={classes(STACK, '@container empty:hidden')}>
            {place(child, rest)}
          </div>
        ))}
      </div>
    )
  }
  return (
    <fieldset className="min-w-0 rounded-lg border border-line px-4 pt-3 pb-4">
      {node.label && (
        <legend dir="auto" className="-ms-1 px-1 font-semibold text-sm">
          {node.label}
        </legend>
      )}
      <div className="@container">
        <div className={STACK}>
          <Layout nodes={node.children} {...rest} />
        </div>
      </div>
    </fieldset>
  )
}

function hasContent(node: LayoutNode, rest: Omit<Props, 'nodes'>): boolean {
  if (node.kind === 'field') return rest.isShown(node.field)
  if (node.kind === 'group' && rest.isHiddenGroup(node.id)) return false
  return getPlacedFields([node]).some(rest.isShown)
}
