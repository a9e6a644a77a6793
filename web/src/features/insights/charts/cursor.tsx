import { createContext, type ReactNode, useContext, useState } from 'react'

type Cursor = readonly [place: number | null, move: (place: number | null) => void]

const Shared = createContext<Cursor | null>(null)

/** Charts over the same days share a cursor. */
export function SharedCursor({ children }: { children: ReactNode }) {
  const cursor = useState<number | null>(null)
  return <Shared value={cursor}>{children}</Shared>
}

/** The step under the cursor: in all charts over these steps, or in this one alone. */
export function useCursor(shared: boolean): Cursor {
  const own = useState<number | null>(null)
  const all = useContext(Shared)
  return shared && all !== null ? all : own
}
