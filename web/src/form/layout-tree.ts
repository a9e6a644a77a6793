import type { FormDefinition, LayoutNode } from './types'

/** The innermost group around each field or group that is in one. */
export function getParentGroups(layout: readonly LayoutNode[] | undefined): ReadonlyMap<string, string> {
  const parents = new Map<string, string>()
  const walk = (nodes: readonly LayoutNode[], group: string | null) => {
    for (const node of nodes) {
      if (node.kind === 'field') {
        if (group !== null) parents.set(node.field, group)
      } else if (node.kind === 'columns') {
        for (const column of node.columns) walk(column, group)
      } else if (node.kind === 'grid') {
        walk(node.children, group)
      } else {
        if (group !== null) parents.set(node.id, group)
        walk(node.children, node.id)
      }
    }
  }
  walk(layout ?? [], null)
  return parents
}

/** The IDs of all groups of a layout. */
export function getGroupIds(layout: readonly LayoutNode[] | undefined): string[] {
  return (layout ?? []).flatMap(node => {
    if (node.kind === 'field') return []
    if (node.kind === 'columns') return node.columns.flatMap(getGroupIds)
    const inner = getGroupIds(node.children)
    return node.kind === 'group' ? [node.id, ...inner] : inner
  })
}

/** The IDs of the fields in a layout, in reading order. */
export function getPlacedFields(layout: readonly LayoutNode[] | undefined): string[] {
  return (layout ?? []).flatMap(node => {
    if (node.kind === 'field') return [node.field]
    if (node.kind === 'columns') return node.columns.flatMap(getPlacedFields)
    return getPlacedFields(node.children)
  })
}

/** Every field in reading order: those in the layout first, then the others. */
export function getReadingOrder(form: FormDefinition): string[] {
  const placed = getPlacedFields(form.layout)
  const known = new Set(placed)
  return [...placed, ...form.fields.map(field => field.id).filter(id => !known.has(id))]
}
