/** What was asked over time, in every language. */
import { screenTexts } from '../../texts/screen-texts.ts';

const en = {
  title: 'Requests over time',
  lead: 'What keys and people of the organization asked, and what became of it. Looking takes nothing from the plan.',
  limitsNow: 'Limits now',
  range: 'Time',
  ranges: { hour: 'Last hour', day: 'Last 24 hours', month: 'Last 30 days' },
  by: 'By',
  groups: {
    outcome: 'Outcome',
    limit: 'Limit that refused',
    endpoint: 'Endpoint',
    key: 'Key',
    plans: 'Larger plans',
  },
  outcomes: {
    ok: 'Answered',
    limited: 'Refused by a limit',
    client_error: 'Refused for another reason',
    server_error: 'Failed',
    aborted: 'Left before the answer',
  },
  requests: 'Requests',
  share: 'Share',
  overTime: 'Over time',
  inWords: (requests: string) => `${requests} requests over time`,
  sessions: 'People, by a session',
  unnamed: 'Others',
  none: 'Nothing was asked in this time.',
  noneRefused: 'No limit refused a request in this time.',
  moreRows: (rows: string) => `${rows} further rows are not shown.`,
  hint: 'The last seconds may be missing. Requests without a valid credential are in no count.',
  plan: 'Plan',
  numbers: { per10Seconds: 'In 10 s', perMinute: 'In a minute', perDay: 'In a day', perMonth: 'In a month' },
  noQuota: 'no quota',
  admitted: 'Would have admitted at least',
  ofRefused: (admitted: string, refused: string) => `${admitted} of ${refused}`,
  refusedByPlan: (refused: string, minutes: string, range: string) =>
    `${range}: ${refused} requests refused, in ${minutes} different minutes, by the plan`,
  noneLarger: 'No plan has larger numbers, or the organization has numbers of its own.',
  plansHint:
    'Counts by minute do not tell when within a minute requests came: so many at least, and perhaps far more. Who asks again after a refusal counts again.',
  link: 'What was asked over time',
};

const de: typeof en = {
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
  inWords: (requests: string) => `${requests} Anfragen im Verlauf`,
  sessions: 'Personen, mit einer Sitzung',
  unnamed: 'Andere',
  none: 'In dieser Zeit wurde nichts gefragt.',
  noneRefused: 'Kein Limit hat in dieser Zeit eine Anfrage abgelehnt.',
  moreRows: (rows: string) => `${rows} weitere Zeilen stehen hier nicht.`,
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
  refusedByPlan: (refused: string, minutes: string, range: string) =>
    `${range}: ${refused} Anfragen, in ${minutes} verschiedenen Minuten, lehnte der Tarif ab:`,
  noneLarger: 'Kein Tarif hat größere Zahlen, oder die Organisation hat eigene.',
  plansHint:
    'Zählungen je Minute sagen nicht, wann in der Minute Anfragen kamen: mindestens so viele, vielleicht weit mehr. Wer nach einer Ablehnung erneut fragt, zählt erneut.',
  link: 'Was im Verlauf gefragt wurde',
};

/** In the language that the pages speak. */
export const requestsTexts = screenTexts({ en, de });
