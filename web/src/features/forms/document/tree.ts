/** Queries about the layout of a document. */

import type { Container, EditorNode, Place } from './types'

export const ROOT: Container = 'root'

export const getColumn = (key: string, column: number): Container => `${key}:${column}`

/** The containers of a node, with their entries. */
export function getContainers(node: EditorNode): readonly { container: Container; children: EditorNode[] }[] {
  if (node.kind === 'field') return []
  if (node.kind === 'columns')
    return node.columns.map((children, index) => ({ container: getColumn(node.key, index), children }))
  return [{ container: node.key, children: node.children }]
}

/** Every entry in reading order, with its place. */
export function* walk(
  nodes: readonly EditorNode[],
  container: Container = ROOT,
  depth = 1,
): Generator<{ node: EditorNode; place: Place; depth: number }> {
  for (const [index, node] of nodes.entries()) {
    yield { node, place: { container, index }, depth }
    for (const inner of getContainers(node)) yield* walk(inner.children, inner.container, depth + 1)
  }
}

export function find(
  layout: readonly EditorNode[],
  key: string | null,
): { node: EditorNode; place: Place } | null {
  if (key === null) return null
  for (const found of walk(layout)) if (found.node.key === key) return found
  return null
}

export function getChildren(
  layout: readonly EditorNode[],
  container: Container,
): readonly EditorNode[] | null {
  if (container === ROOT) return layout
  for (const { node } of walk(layout))
    for (const inner of getContainers(node)) if (inner.container === container) return inner.children
  return null
}

/** The entry that a container belongs to; null for the root. */
export function getOwner(layout: readonly EditorNode[], container: Container): EditorNode | null {
  if (container === ROOT) return null
  return find(layout, container.split(':')[0] ?? '')?.node ?? null
}

export const contains = (node: EditorNode, key: string): boolean => {
  for (const inner of walk([node])) if (inner.node.key === key) return true
  return false
}

/** The IDs of the fields in these entries, in reading order. */
export const getFieldIds = (nodes: readonly EditorNode[]): string[] =>
  [...walk(nodes)].flatMap(({ node }) => (node.kind === 'field' ? [node.field] : []))

export const getGroups = (nodes: readonly EditorNode[]) =>
  [...walk(nodes)].flatMap(({ node }) => (node.kind === 'group' ? [node] : []))

/** The entry of a field. */
export function findFieldNode(layout: readonly EditorNode[], fieldId: string): EditorNode | null {
  for (const { node } of walk(layout)) if (node.kind === 'field' && node.field === fieldId) return node
  return null
}

/** The number of levels from a container's entries up to the root. */
export function getDepth(layout: readonly EditorNode[], container: Container): number {
  const owner = getOwner(layout, container)
  if (owner === null) return 0
  for (const { node, depth } of walk(layout)) if (node.key === owner.key) return depth
  return 0
}

/** The number of levels in an entry, including itself. */
export const getHeight = (node: EditorNode): number =>
  Math.max(...[...walk([node])].map(({ depth }) => depth))

/** Replaces the entries of every container with what `change` returns for them, innermost first. */
export function mapContainers(
  nodes: readonly EditorNode[],
  change: (children: readonly EditorNode[], container: Container) => readonly EditorNode[],
  container: Container = ROOT,
): EditorNode[] {
  const inner = nodes.map((node): EditorNode => {
    if (node.kind === 'field') return node
    if (node.kind === 'columns')
      return {
        ...node,
        columns: node.columns.map((column, index) =>
          mapContainers(column, change, getColumn(node.key, index)),
        ),
      }
    return { ...node, children: mapContainers(node.children, change, node.key) }
  })
  return [...change(inner, container)]
}
