/** Was über die Zeit gefragt wurde. */
import type { Texts } from '../pattern.ts';

export const requests: Texts['requests'] = {
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
