/** Decides which requests get a line, and keeps the refused ones; where lines go is its port. */
import type { AccessLogSettings } from '../../../config/log-settings.ts';
import type { GatewayRequest } from '../../../plugins/kit/request-context.ts';
import { type AccessEntry, accessEntry, type EndedRequest } from './access-entry.ts';
import { RefusedRequests } from './refused-requests.ts';

/** Takes lines at once and never throws; what it cannot keep it drops, and counts. */
export interface LineWriter {
  write(entry: AccessEntry): void;
}

export interface AccessLog {
  /** Whether lines are written: then the bytes of each answer are measured. */
  readonly isOn: boolean;
  readonly refused: RefusedRequests;
  /** Called when a request ended; `templateOf` is asked only for those that are kept. */
  ended(request: Omit<EndedRequest, 'path'>, templateOf: (req: GatewayRequest) => string | null): void;
}

/** From this status on a request was refused, or failed. */
const REFUSED = 400;
/** The status of a request whose client left: none was sent whole. */
const ABORTED = 0;

/** `writer` null: no lines, only the ring of refused requests. `random` gives numbers from 0 up to 1. */
export function createAccessLog(
  { sample, address }: Pick<AccessLogSettings, 'sample' | 'address'>,
  writer: LineWriter | null = null,
  random: () => number = Math.random,
): AccessLog {
  const refused = new RefusedRequests();
  const isOn = writer !== null;
  return {
    isOn,
    refused,
    ended(request, templateOf) {
      const isRefused = request.status >= REFUSED;
      if (!isRefused && (!isOn || (request.status !== ABORTED && random() >= sample))) return;
      const entry = accessEntry({ ...request, path: templateOf(request.req) }, address, isOn);
      if (isRefused) refused.add(entry);
      writer?.write(entry);
    },
  };
}
