/** Was die Seiten sagen, wenn etwas fehlt, auf sich warten lässt oder abgelehnt wird. */
import type { Texts } from '../pattern.ts';

export const states: Texts['states'] = {
  loading: 'Wird geladen …',
  skip: 'Zum Inhalt springen',
  again: 'Noch einmal versuchen',
  requestId: (id: string) => `Anfrage ${id}`,
  offline: 'Der Dienst ist nicht erreichbar. Prüfen Sie Ihre Verbindung.',
  unavailable: 'Der Dienst kann gerade nicht antworten.',
  lastNumbers: (time: string) => `Die Zahlen sind von ${time}.`,
  triesAgain: (seconds: number) =>
    seconds <= 1 ? 'Neuer Versuch läuft.' : `Neuer Versuch in ${seconds} Sekunden.`,
  limit: (limit: number | null) =>
    limit === null
      ? 'Das Anfragelimit ist erschöpft.'
      : `Das Limit von ${limit} Anfragen ist im Augenblick erschöpft.`,
  forbidden: 'Ihre Rolle öffnet diese Seite nicht.',
  forbiddenHint: 'Bitten Sie einen Inhaber oder Administrator der Organisation um eine andere Rolle.',
  missing: 'Unter dieser Adresse gibt es nichts.',
  missingHint: 'Es wurde vielleicht gelöscht oder gehört einer anderen Organisation.',
  conflict: 'So, wie die Dinge stehen, geht das nicht.',
  changed: 'Jemand anders hat dies inzwischen geändert.',
  switched: 'Inzwischen wurde eine andere Organisation gewählt.',
  changedHint: 'Laden Sie es neu, und ändern Sie es dann.',
  invalid: 'Im Formular stimmt etwas nicht.',
  invalidQuestion: 'Was gefragt wurde, ist so nicht erlaubt.',
  invalidSql: 'So läuft die Abfrage nicht.',
  over: 'Ihre Sitzung ist zu Ende.',
  overHint: 'Melden Sie sich an, um weiterzumachen. Was Sie eingegeben haben, ist noch da.',
  oneFailed: 'Dieser Teil ließ sich nicht berechnen.',
  noEvent: 'Noch kein Ereignis',
  noneInRange: 'Nichts in diesem Zeitraum',
  noneInRangeHint: 'Wählen Sie einen längeren Zeitraum.',
  newVersionFailed: 'Ein Teil dieser Seite ließ sich nicht laden. Laden Sie sie gleich noch einmal.',
  failed: 'Diese Seite hat einen Fehler und kann nicht weitermachen.',
  reload: 'Seite neu laden',
  saved: 'Gespeichert.',
};
