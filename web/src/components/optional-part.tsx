import { Component, type ReactNode, Suspense } from 'react'

/** Something beside the page that comes later, or not at all: on a bad line, the page goes on without it. */
export class OptionalPart extends Component<{ children: ReactNode }, { isMissing: boolean }> {
  override state = { isMissing: false }

  static getDerivedStateFromError() {
    return { isMissing: true }
  }

  override render() {
    return this.state.isMissing ? null : <Suspense>{this.props.children}</Suspense>
  }
}
