/** What became of the events that a website was sent, in German. */
import { plural } from '../../texts/format.ts';
import type { en } from './texts-en.ts';

export const de: typeof en = {
  title: (website: string) => `Empfangene Ereignisse von ${website}`,
  lead: 'Wie viele Ereignisse kamen, wie viele gespeichert wurden und warum die anderen nicht.',
  back: 'Übersicht',
  received: 'Empfangen',
  stored: 'Gespeichert',
  dropped: 'Nicht gespeichert',
  reason: 'Grund',
  events: 'Ereignisse',
  overTime: 'Verlauf',
  inWords: (events) => `${plural(events, 'Ereignis', 'Ereignisse')} im Verlauf`,
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
