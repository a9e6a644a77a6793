import { t } from '@lingui/core/macro'
import { matchesSearch } from '@/lib/matches-search'
import { timeZones } from '@/lib/time-zones'
import { Combobox, type ComboboxAttributes } from './combobox'

type Props = {
  attributes: ComboboxAttributes
  value: string | null
  onChange: (timeZone: string | null) => void
  /** What applies if no time zone is chosen. Without it, one has to be. */
  standard?: string
}

const getName = (zone: string) => zone.replaceAll('_', ' ')

/** A searchable list of the time zones. */
export function TimeZoneSelect({ attributes, value, onChange, standard }: Props) {
  const zones = [
    ...(standard === undefined ? [] : [{ id: '', name: standard }]),
    ...timeZones(value)
      .filter(zone => zone !== standard)
      .map(zone => ({ id: zone, name: getName(zone) })),
  ]
  return (
    <Combobox
      attributes={attributes}
      label={t`Time zone`}
      text={value === null ? standard : getName(value)}
      placeholder={t`Choose…`}
      getGroups={search => [{ items: zones.filter(({ name }) => matchesSearch(name, search)) }]}
      getId={({ id }) => id}
      renderItem={({ name }) => name}
      onChoose={({ id }) => onChange(id || null)}
      chosen={[value ?? '']}
      empty={t`No matching options`}
    />
  )
}
