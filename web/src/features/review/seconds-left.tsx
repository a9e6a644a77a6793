import { useEffect, useState } from 'react'
import { formatNumber } from '@/lib/i18n'

const left = (until: number) => Math.max(0, Math.ceil((until - Date.now()) / 1000))

/** A countdown. It isn't read out: that the decision can be undone is announced once. */
export function SecondsLeft({ until }: { until: number }) {
  const [seconds, setSeconds] = useState(() => left(until))
  useEffect(() => {
    setSeconds(left(until))
    const timer = setInterval(() => setSeconds(left(until)), 250)
    return () => clearInterval(timer)
  }, [until])
  return (
    <span aria-hidden="true" className="tabular-nums">
      {formatNumber(seconds, { style: 'unit', unit: 'second', unitDisplay: 'narrow' })}
    </span>
  )
}
