/** Was jedes Recht erlaubt: die eine Tabelle, für Rollen, Schlüssel und Sitzungen. */
import type { Texts } from '../pattern.ts';

export const scopes: Texts['scopes'] = {
  'read:data': 'Auswertungen und die Liste der Websites lesen',
  'track:events': 'Ereignisse senden',
  'read:links': 'Kurzlinks und ihre Klicks sehen',
  'write:links': 'Kurzlinks anlegen, ändern und löschen',
  'manage:websites': 'Websites anlegen, ändern und löschen, Besucher löschen',
  'manage:flags': 'Feature-Flags und Zielgruppen verwalten',
  'manage:config': 'Die Organisation und ihre Integrationen ändern',
};
