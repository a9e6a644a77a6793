import { useLayoutEffect, useRef } from 'react'
import { sanitisedFragment } from './sanitise'
import './prose.css'

/** An agent's HTML to read, sanitised. */
export default function RenderedHtml({ html }: { html: string }) {
  const place = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    place.current?.replaceChildren(sanitisedFragment(html))
  }, [html])
  return <div ref={place} dir="auto" className="prose" />
}
