/** What can go wrong with a call, as data that every screen shows in the same way. */

/**
 * `offline`: no answer came. `unavailable`: 5xx. `limit`: 429. `forbidden`: 403. `missing`: 404. `conflict`: 409.
 * `changed`: 412, somebody else was first. `switched`: 412, the session acts for another organization than the page shows. `invalid`: 400, 413, 415: the details say where. `over`: the session has ended.
 */
export type FaultKind =
  | 'offline'
  | 'unavailable'
  | 'limit'
  | 'forbidden'
  | 'missing'
  | 'conflict'
  | 'changed'
  | 'switched'
  | 'invalid'
  | 'over';

export interface Fault {
  readonly kind: FaultKind;
  /** HTTP status; 0 when no answer came. */
  readonly status: number;
  /** Error code of the API; empty when no answer came. */
  readonly code: string;
  /** The API's own sentence, in English. */
  readonly message: string;
  readonly details: readonly { readonly field: string; readonly message: string }[];
  readonly requestId: string;
  /** Seconds until the same call may succeed, of a `limit` and where the server says so; null when unknown. */
  readonly retryAfter: number | null;
  /** The limit that was used up, in requests of its window; null when the answer shows none. */
  readonly limit: number | null;
}

/** Names the organization that a call is meant for; the gateway refuses it where the session acts for another one. */
export const ORGANIZATION_HEADER = 'X-Organization-Id';

export const OFFLINE: Fault = {
  kind: 'offline',
  status: 0,
  code: '',
  message: '',
  details: [],
  requestId: '',
  retryAfter: null,
  limit: null,
};

/** Another organization was chosen while it was asked for. */
export const SWITCHED: Fault = { ...OFFLINE, kind: 'switched', status: 412, code: 'PRECONDITION_FAILED' };

const KIND_OF_STATUS: Readonly<Record<number, FaultKind>> = {
  401: 'over',
  403: 'forbidden',
  404: 'missing',
  409: 'conflict',
  412: 'changed',
  429: 'limit',
};

/** The fault that an answer other than 2xx is. A body that is no error of the API (a proxy's page) leaves the texts empty. */
export function faultOf(status: number, headers: Headers, body: unknown): Fault {
  const said = typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {};
  const text = (value: unknown): string => (typeof value === 'string' ? value : '');
  const listed = Array.isArray(said.details) ? said.details : [];
  const details = listed.flatMap((detail: { field?: unknown; message?: unknown } | null) =>
    detail === null ? [] : [{ field: text(detail.field), message: text(detail.message) }],
  );
  const isSwitched = status === 412 && details.some(({ field }) => field === ORGANIZATION_HEADER);
  return {
    kind: isSwitched ? 'switched' : (KIND_OF_STATUS[status] ?? (status >= 500 ? 'unavailable' : 'invalid')),
    status,
    code: text(said.code),
    message: text(said.message),
    details,
    requestId: text(said.requestId),
    retryAfter: wholeNumber(headers.get('retry-after')),
    limit: wholeNumber(headers.get('x-ratelimit-limit')),
  };
}

/** The fault of something of its own address: the API refuses what does not exist as it refuses what is somebody else's. */
export function asMissing<Given extends Fault | undefined>(fault: Given): Given {
  return fault?.code === 'ACCESS_DENIED' ? { ...fault, kind: 'missing' } : fault;
}

function wholeNumber(text: string | null): number | null {
  return text !== null && /^\d{1,9}$/.test(text) ? Number(text) : null;
}
