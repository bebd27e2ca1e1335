/** Anmeldung, Einladung, Passwort. */
import type { Texts } from '../pattern.ts';

export const entering: Texts['entering'] = {
  title: 'Anmelden',
  logIn: 'Anmelden',
  forgot: 'Passwort vergessen? Ein Inhaber oder Administrator kann Ihnen einen Link zum Zurücksetzen geben.',
  wrong: 'E-Mail oder Passwort ist falsch.',
  limit: 'Zu viele Anmeldungen von dieser Adresse. Dreißig in der Minute sind erlaubt.',
  busy: 'Gerade melden sich viele an. Versuchen Sie es gleich noch einmal.',
  foreign: 'Diese Seite gehört nicht zum Dienst, deshalb behält er hier keine Sitzung.',
  foreignHint: (origin: string) =>
    `Öffnen Sie das Dashboard unter SERVICE_DOMAIN, oder lassen Sie diese Einstellung den Host von ${origin} nennen.`,
  needsHttps: 'Eine Sitzung braucht https.',
  needsHttpsHint:
    'Browser behalten die Sitzung nur über https oder auf localhost. Setzen Sie TLS vor das Gateway, oder öffnen Sie http://localhost auf dem Rechner selbst.',
  accept: {
    title: 'Der Organisation beitreten',
    lead: 'Sie wurden eingeladen. Wählen Sie einen Namen und ein Passwort für Ihr Konto.',
    leadAs: (email: string) =>
      `Sie wurden eingeladen und sind als ${email} angemeldet. Treten Sie mit diesem Konto bei.`,
    otherSession: (email: string) =>
      `Sie sind als ${email} angemeldet, und die Einladung gilt einer anderen E-Mail. Wer sie annimmt, ist danach mit dieser angemeldet.`,
    join: 'Beitreten',
    joinNew: 'Konto anlegen',
    haveAccount: 'Ich habe ein Konto',
    haveNone: 'Ich habe noch kein Konto',
    otherAccount:
      'Die Einladung gilt einer anderen E-Mail. Legen Sie ein Konto dafür an, oder melden Sie sich mit Ihrem an.',
    noToken:
      'Dieser Link ist nicht vollständig. Kopieren Sie den ganzen Link, oder bitten Sie um einen neuen.',
    refused: 'Diese Einladung ist verbraucht, abgelaufen oder zurückgezogen. Bitten Sie um eine neue.',
  },
  reset: {
    title: 'Neues Passwort wählen',
    lead: 'Der Link gilt einmal, innerhalb einer Stunde. Alle Ihre Sitzungen enden.',
    set: 'Passwort setzen',
    done: 'Ihr Passwort ist geändert. Melden Sie sich damit an.',
    noToken:
      'Dieser Link ist nicht vollständig. Kopieren Sie den ganzen Link, oder bitten Sie um einen neuen.',
    refused: 'Dieser Link ist verbraucht oder abgelaufen. Bitten Sie um einen neuen.',
  },
  passwordHint: 'Mindestens 8 Zeichen.',
};
