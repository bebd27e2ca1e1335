/** Sessions of a website, in German. */
import type { en } from './texts-en.ts';

export const de: typeof en = {
  list: 'Besuche, die letzten zuerst. Es zählt nur, was im Zeitraum liegt. Der Beginn öffnet den Besuch, der Besucher alles, was über ihn bekannt ist.',
  one: 'Eine Sitzung',
  all: 'Alle Sitzungen',
  timeline: 'Was geschah',
  timelineDefinition:
    'Jedes Ereignis der Sitzung im Zeitraum, der Reihe nach, mit der Zeit bis zum nächsten. Filter lassen sie ganz.',
  noEvents: 'Die Sitzung hat kein Ereignis in diesem Zeitraum.',
  definitions: {
    total_sessions: 'Besuche im Zeitraum. Nach 30 Minuten ohne Ereignis beginnt das Skript einen neuen.',
    total_events: 'Ereignisse jeden Namens in diesen Besuchen.',
  },
  columns: {
    total_sessions: 'Sitzungen',
    total_events: 'Ereignisse',
    first_visit: 'Beginn',
    last_visit: 'Ende',
    visitor_id: 'Besucher',
    duration: 'Dauer',
    page_views: 'Seitenaufrufe',
    country: 'Land',
    device_type: 'Gerät',
    browser_name: 'Browser',
    os_name: 'System',
    referrer: 'Verweis',
    timestamp: 'Zeit',
    event_name: 'Ereignis',
    path: 'Seite',
    title: 'Titel',
    properties: 'Eigenschaften',
    until_next: 'Bis zum nächsten',
  },
};
