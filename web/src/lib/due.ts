/** What happens to a review by itself when nobody decides it in time, in words. */

export type DueAction = 'remind' | 'handOver' | 'reject' | 'approve'

/** Before a time that is left: `Rejected by itself in 2 h 10 min`. */
export const WHAT_HAPPENS: Readonly<Record<DueAction, string>> = {
  remind: 'Reminder',
  handOver: 'Handed over',
  reject: 'Rejected by itself',
  approve: 'Approved by itself',
}
