/** Request ids: the client's if it is well-formed, else a new one (contract.md sections 1 and 8). */
import { randomBytes } from 'node:crypto';

const WELL_FORMED = /^[A-Za-z0-9._-]{1,128}$/;

/** Makes ids that are unique across processes and starts: a random part per process and a counter. */
export function createRequestIds(): () => string {
  const start = randomBytes(9).toString('base64url');
  let count = 0;
  return function newRequestId() {
    count++;
    return `req_${start}${count.toString(36)}`;
  };
}

/** The client's id if it is well-formed and sent once, else null. */
export function keptRequestId(header: string | string[] | undefined): string | null {
  return typeof header === 'string' && WELL_FORMED.test(header) ? header : null;
}
