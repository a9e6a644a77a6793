import { toJsxRuntime } from 'hast-util-to-jsx-runtime'
import { useMemo } from 'react'
import { Fragment, jsx, jsxs } from 'react/jsx-runtime'
import { sanitizeTree } from './sanitize'
import './prose.css'

const NewTabLink = (props: React.ComponentProps<'a'>) => (
  <a {...props} {...(props.href !== undefined && { target: '_blank', rel: 'noopener noreferrer' })} />
)

/** An agent's HTML, sanitized. */
export default function RenderedHtml({ html }: { html: string }) {
  const content = useMemo(
    () => toJsxRuntime(sanitizeTree(html), { Fragment, jsx, jsxs, components: { a: NewTabLink } }),
    [html],
  )
  return (
    <div dir="auto" className="prose">
      {content}
    </div>
  )
}
