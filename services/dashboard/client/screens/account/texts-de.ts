/** Das eigene Konto: Name, Passwort, Sitzungen. */
import type { en } from './texts-en.ts';

export const de: typeof en = {
  title: 'Konto',
  nameTitle: 'Name',
  nameHint: 'Der Name, den andere sehen. Ihre E-Mail-Adresse bleibt gleich.',
  nameSaved: 'Ihr Name ist geändert.',
  passwordTitle: 'Passwort',
  passwordLead: 'Ein neues Passwort beendet alle Ihre anderen Sitzungen.',
  current: 'Bisheriges Passwort',
  next: 'Neues Passwort',
  change: 'Passwort ändern',
  wrong: 'Das bisherige Passwort ist falsch.',
  passwordSaved: 'Ihr Passwort ist geändert. Ihre anderen Sitzungen sind beendet.',
  tooMany: 'Zu viele Versuche von dieser Adresse. Versuchen Sie es in einer Minute noch einmal.',
  sessionsTitle: 'Sitzungen',
  sessionsLead:
    'Wo Sie angemeldet sind. Beenden Sie Sitzungen, die Sie nicht kennen, und ändern Sie dann Ihr Passwort.',
  here: 'Diese Sitzung',
  on: (browser: string, system: string) => `${browser} unter ${system}`,
  unknownDevice: 'Unbekanntes Gerät',
  lastUsed: 'Zuletzt genutzt',
  since: 'Angemeldet',
  from: 'von',
  end: 'Beenden',
  endOf: (device: string) => `Sitzung von ${device} beenden`,
  endOthers: 'Alle anderen beenden',
  ended: 'Die Sitzung ist beendet.',
  othersEnded: 'Alle anderen Sitzungen sind beendet.',
  preferencesTitle: 'Sprache und Darstellung',
  preferencesLead: 'Dieser Browser merkt sie sich.',
};
