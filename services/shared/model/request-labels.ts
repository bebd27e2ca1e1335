/** By what the requests of an organization are counted, as one text of labels and back. */

/** What became of a request. `limited`: a limit refused it; `aborted`: its client left before the answer was complete. */
export const REQUEST_OUTCOMES = ['ok', 'client_error', 'limited', 'server_error', 'aborted'] as const;
export type RequestOutcome = (typeof REQUEST_OUTCOMES)[number];

export interface RequestLabels {
  /** The id of the key; empty: sessions, or more keys than are told apart. */
  readonly key: string;
  /** Its name in the configuration; empty: more of them than are told apart. */
  readonly endpoint: string;
  readonly outcome: RequestOutcome;
  /** The limit that refused it and its window in words; empty: none did. */
  readonly limit: string;
  readonly window: string;
}

export function requestLabels({ key, endpoint, outcome, limit, window }: RequestLabels): string {
  return `${key}|${endpoint}|${outcome}|${limit}|${window}`;
}

/** The labels of a text that {@link requestLabels} made. */
export function parseRequestLabels(text: string): RequestLabels {
  const [key = '', endpoint = '', outcome = 'ok', limit = '', window = ''] = text.split('|');
  return { key, endpoint, outcome: outcome as RequestOutcome, limit, window };
}
