import { Badge } from '@/components/status'
import type { Option } from '../types'
import { EmptyValue } from './empty-value'

/** The selected options, read-only. */
export function ChosenOptions({
  options,
  chosen,
}: {
  options: readonly Option[]
  chosen: readonly string[]
}) {
  if (chosen.length === 0) return <EmptyValue />
  const labels = new Map(options.map(option => [option.id, option.label || option.id]))
  return (
    <ul className="flex flex-wrap gap-1">
      {chosen.map(id => (
        <li key={id} className="max-w-full">
          <Badge tone="accent" className="max-w-full whitespace-normal text-sm [overflow-wrap:anywhere]">
            {labels.get(id) ?? id}
          </Badge>
        </li>
      ))}
    </ul>
  )
}
