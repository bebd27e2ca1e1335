/** The closed list of reasons why received events are not stored. */

/** Why events are not stored, and the response status; crawlers are not a reason: their events are stored with a mark. */
export const DROPS = {
  website_unnamed: { status: 401, when: 'No key, and no website named.' },
  website_unknown: { status: 403, when: 'No key, and no such website.' },
  keyless_off: { status: 403, when: 'No key, and the website takes no events without one.' },
  origin_foreign: { status: 403, when: 'No key, and a page of another site sends.' },
  website_other: { status: 403, when: 'No key, and an event names another website than the request.' },
  website_unreachable: { status: 403, when: 'The key does not reach the website.' },
  day_full: {
    status: 429,
    when: 'No key, and the website, or one address of it, has taken its bytes or new profiles of the day.',
  },
  disk_low: { status: 503, when: 'No key, and the disk is low.' },
  faulty: { status: 400, when: 'The event, or one beside it in its array, breaks a rule.' },
  privacy_signal: { status: 200, when: 'The browser asks not to be followed, and the website honours it.' },
  repeated: { status: 200, when: 'Stored before, by its eventId.' },
  not_stored: { status: 503, when: 'A store was down, its disk full, or too many events waited.' },
  internal_fault: { status: 500, when: 'A fault of the service itself.' },
} as const;
export type DropReason = keyof typeof DROPS;
export const DROP_REASONS = Object.keys(DROPS) as readonly DropReason[];
