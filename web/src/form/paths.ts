/** Property paths of `data`: names joined by dots, where `\.` is a dot within a name and `\\` a backslash. */

export function splitPath(path: string): string[] {
  const names = ['']
  for (const piece of path.match(/\\[.\\]|./gsu) ?? []) {
    if (piece === '.') names.push('')
    else names[names.length - 1] += piece.length > 1 && piece.startsWith('\\') ? piece.slice(1) : piece
  }
  return names
}

export const joinPath = (names: readonly string[]): string =>
  names.map(name => name.replace(/[.\\]/g, '\\$&')).join('.')
