import { CircleAlert, TriangleAlert } from 'lucide-react'
import type { Issue } from './issues'

/** Errors and warnings, one per line. */
export function IssueLines({ issues }: { issues: readonly Issue[] }) {
  if (issues.length === 0) return null
  return (
    <ul className="flex flex-col gap-1 text-sm">
      {issues.map(issue => (
        <li
          key={`${issue.severity} ${issue.path} ${issue.message}`}
          className={issue.severity === 'error' ? 'flex gap-1.5 text-bad' : 'flex gap-1.5 text-warn'}
        >
          {issue.severity === 'error' ? (
            <CircleAlert className="mt-0.5 shrink-0" />
          ) : (
            <TriangleAlert className="mt-0.5 shrink-0" />
          )}
          <span className="min-w-0 [overflow-wrap:anywhere]">{issue.message}</span>
        </li>
      ))}
    </ul>
  )
}
