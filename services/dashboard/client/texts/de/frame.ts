/** Navigation und Kopfzeile. */
import type { Texts } from '../pattern.ts';

export const frame: Texts['frame'] = {
  navigation: 'Hauptnavigation',
  websites: 'Websites',
  links: 'Links',
  organization: 'Organisation',
  flags: 'Flags',
  keys: 'API-Schlüssel',
  members: 'Mitglieder',
  audit: 'Protokoll',
  platform: 'Plattform',
  account: 'Konto',
  sessions: 'Sitzungen',
  settings: 'Einstellungen',
  logOut: 'Abmelden',
  logOutFailed: 'Die Abmeldung hat den Dienst nicht erreicht. Versuchen Sie es noch einmal.',
  switchTo: 'Organisation wechseln',
  switchFailed: 'Die Organisation ließ sich nicht wechseln. Versuchen Sie es noch einmal.',
  language: 'Sprache',
  appearance: 'Darstellung',
  appearances: { system: 'System', light: 'Hell', dark: 'Dunkel' },
  timezone: (zone: string) => `Zeiten in ${zone}`,
  menu: 'Menü',
};
