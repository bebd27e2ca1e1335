/** What became of the events that a website was sent, in every language. */
import type { IngestDrop } from '../../api/wire.ts';
import { screenTexts } from '../../texts/screen-texts.ts';

const en = {
  title: (website: string) => `Events received by ${website}`,
  lead: 'How many events came, how many were stored, and why the others were not.',
  back: 'Overview',
  received: 'Received',
  stored: 'Stored',
  dropped: 'Not stored',
  reason: 'Why',
  events: 'Events',
  overTime: 'Over time',
  inWords: (events: string) => `${events} events over time`,
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

const de: typeof en = {
  title: (website: string) => `Empfangene Ereignisse von ${website}`,
  lead: 'Wie viele Ereignisse kamen, wie viele gespeichert wurden und warum die anderen nicht.',
  back: 'Übersicht',
  received: 'Empfangen',
  stored: 'Gespeichert',
  dropped: 'Nicht gespeichert',
  reason: 'Grund',
  events: 'Ereignisse',
  overTime: 'Verlauf',
  inWords: (events: string) => `${events} Ereignisse im Verlauf`,
  noneReceived: 'In dieser Zeit kam kein Ereignis.',
  noneDropped: 'Jedes Ereignis, das in dieser Zeit kam, wurde gespeichert.',
  reasons: {
    website_unnamed: 'Ohne Schlüssel, und keine Website genannt',
    website_unknown: 'Ohne Schlüssel, für eine unbekannte Website',
    keyless_off: 'Ohne Schlüssel, und diese Website nimmt keine ohne an',
    origin_foreign: 'Von einer Seite einer anderen Site',
    website_other: 'Ohne Schlüssel, und das Ereignis nennt eine andere Website',
    website_unreachable: 'Der Schlüssel erreicht diese Website nicht',
    day_full: 'Ohne Schlüssel, und die Bytes des Tages sind verbraucht',
    disk_low: 'Ohne Schlüssel, während der Speicherplatz knapp ist',
    faulty: 'Das Ereignis oder ein mitgesendetes verletzt eine Regel',
    privacy_signal: 'Der Besucher will nicht verfolgt werden',
    repeated: 'Schon gespeichert, nach seiner eventId',
    not_stored: 'Der Speicher hat es nicht angenommen',
    internal_fault: 'Ein Fehler des Dienstes',
  },
  hint: 'Welche Seiten senden dürfen, auch ohne Schlüssel, steht in den Einstellungen der Website.',
  settings: 'Einstellungen',
  link: 'Empfangene und verworfene Ereignisse',
};

/** In the language that the pages speak. */
export const ingestTexts = screenTexts({ en, de });
