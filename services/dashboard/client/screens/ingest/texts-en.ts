/** What became of the events that a website was sent, in English. */
import type { IngestDrop } from '../../api/wire.ts';
import { plural } from '../../texts/format.ts';

export const en = {
  title: (website: string) => `Events received by ${website}`,
  lead: 'How many events came, how many were stored, and why the others were not.',
  back: 'Overview',
  received: 'Received',
  stored: 'Stored',
  dropped: 'Not stored',
  reason: 'Why',
  events: 'Events',
  overTime: 'Over time',
  inWords: (events: number) => `${plural(events, 'event', 'events')} over time`,
  noneReceived: 'No event came in this time.',
  noneDropped: 'Every event that came in this time was stored.',
  reasons: {
    website_unnamed: 'Without a key, and no website named',
    website_unknown: 'Without a key, for an unknown website',
    keyless_off: 'Without a key, and this website takes none without one',
    origin_foreign: 'From a page of another site',
    website_other: 'Without a key, and the event names another website',
    website_unreachable: 'The key does not reach this website',
    day_full: 'Without a key, and the bytes of the day are used up',
    disk_low: 'Without a key, while the disk is low',
    faulty: 'The event, or one sent with it, breaks a rule',
    privacy_signal: 'The visitor asks not to be followed',
    repeated: 'Stored before, by its eventId',
    not_stored: 'The store did not take it',
    internal_fault: 'A fault of the service',
  } satisfies Record<IngestDrop['reason'], string>,
  hint: 'Which pages may send, and whether without a key, stands in the settings of the website.',
  settings: 'Settings',
  link: 'Received and dropped events',
};
