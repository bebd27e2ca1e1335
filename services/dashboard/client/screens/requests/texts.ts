/** What was asked over time, in every language. */
import { screenTexts } from '../../texts/screen-texts.ts';

const en = {
  title: 'Requests over time',
  lead: 'What keys and people of the organization asked, and what became of it. Looking takes nothing from the plan.',
  limitsNow: 'Limits now',
  range: 'Time',
  ranges: { hour: 'Last hour', day: 'Last 24 hours', month: 'Last 30 days' },
  by: 'By',
  groups: { outcome: 'Outcome', limit: 'Limit that refused', endpoint: 'Endpoint', key: 'Key' },
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
  link: 'What was asked over time',
};

const de: typeof en = {
  title: 'Anfragen im Verlauf',
  lead: 'Was Schlüssel und Personen der Organisation gefragt haben und was daraus wurde. Nachsehen verbraucht nichts vom Tarif.',
  limitsNow: 'Limits jetzt',
  range: 'Zeit',
  ranges: { hour: 'Letzte Stunde', day: 'Letzte 24 Stunden', month: 'Letzte 30 Tage' },
  by: 'Nach',
  groups: { outcome: 'Ausgang', limit: 'Limit, das ablehnte', endpoint: 'Endpunkt', key: 'Schlüssel' },
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
  link: 'Was im Verlauf gefragt wurde',
};

/** In the language that the pages speak. */
export const requestsTexts = screenTexts({ en, de });
