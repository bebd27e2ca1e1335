/** What was asked over time, in German. */
import { plural } from '../../texts/format.ts';
import type { en } from './texts-en.ts';

export const de: typeof en = {
  title: 'Anfragen im Verlauf',
  lead: 'Was Schlüssel und Personen der Organisation gefragt haben und was daraus wurde. Nachsehen verbraucht nichts vom Tarif.',
  limitsNow: 'Limits jetzt',
  range: 'Zeit',
  ranges: { hour: 'Letzte Stunde', day: 'Letzte 24 Stunden', month: 'Letzte 30 Tage' },
  by: 'Nach',
  groups: {
    outcome: 'Ausgang',
    limit: 'Limit, das ablehnte',
    endpoint: 'Endpunkt',
    key: 'Schlüssel',
    plans: 'Größere Tarife',
  },
  outcomes: {
    ok: 'Beantwortet',
    limited: 'Von einem Limit abgelehnt',
    client_error: 'Aus anderem Grund abgelehnt',
    server_error: 'Gescheitert',
    aborted: 'Vor der Antwort abgebrochen',
  },
  requests: 'Anfragen',
  share: 'Anteil',
  overTime: 'Verlauf',
  inWords: (requests) => `${plural(requests, 'Anfrage', 'Anfragen')} im Verlauf`,
  sessions: 'Personen, mit einer Sitzung',
  unnamed: 'Andere',
  none: 'In dieser Zeit wurde nichts gefragt.',
  noneRefused: 'Kein Limit hat in dieser Zeit eine Anfrage abgelehnt.',
  moreRows: (rows) => `${plural(rows, 'weitere Zeile steht', 'weitere Zeilen stehen')} hier nicht.`,
  hint: 'Die letzten Sekunden können fehlen. Anfragen ohne gültigen Zugang sind nirgends gezählt.',
  plan: 'Tarif',
  numbers: {
    per10Seconds: 'In 10 s',
    perMinute: 'In einer Minute',
    perDay: 'Am Tag',
    perMonth: 'Im Monat',
  },
  noQuota: 'kein Kontingent',
  admitted: 'Hätte mindestens zugelassen',
  ofRefused: (admitted: string, refused: string) => `${admitted} von ${refused}`,
  refusedByPlan: (refused, minutes, range) =>
    `${range}: ${plural(refused, 'Anfrage', 'Anfragen')}, in ${plural(minutes, 'Minute', 'verschiedenen Minuten')}, lehnte der Tarif ab:`,
  noneLarger: 'Kein Tarif hat größere Zahlen, oder die Organisation hat eigene.',
  plansHint:
    'Zählungen je Minute sagen nicht, wann in der Minute Anfragen kamen: mindestens so viele, vielleicht weit mehr. Wer nach einer Ablehnung erneut fragt, zählt erneut.',
  link: 'Was im Verlauf gefragt wurde',
};
