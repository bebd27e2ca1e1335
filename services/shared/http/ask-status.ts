/** Asks a backend for one path, on a new connection or within the process: whether it answers, with which status, and whether it lacks something. */
import { type BackendTls, connectOptions } from '../plans/service-endpoint.ts';
import { LateSignal } from './late-signal.ts';
import { undici } from './late-undici.ts';
import type { AnswerInProcess, ServicesInProcess } from './service-exchange.ts';

export interface StatusQuestion {
  /** Such as http://127.0.0.1:4001. */
  readonly origin: string;
  readonly path: string;
  /** How long connecting and the whole answer may take together, in milliseconds. */
  readonly timeoutMs: number;
  readonly tls?: BackendTls | null;
  /** Aborts the request early. */
  readonly signal?: AbortSignal;
  /** Services that are asked without a connection. */
  readonly inProcess?: ServicesInProcess | undefined;
}

/** What a service that works, but not wholly, puts into its readiness: names, comma-separated. */
export const DEGRADED_HEADER = 'x-degraded';

export interface AskedStatus {
  readonly status: number;
  /** It says so itself, by {@link DEGRADED_HEADER}. */
  readonly isDegraded: boolean;
}

/** The status of the answer to a GET. @throws Error when none came in time */
export function askStatus(question: StatusQuestion): Promise<AskedStatus> {
  const answer = question.inProcess?.get(question.origin);
  return answer === undefined ? askByHttp(question) : askInProcess(question, answer);
}

async function askInProcess(
  { path, timeoutMs, signal }: StatusQuestion,
  answer: AnswerInProcess,
): Promise<AskedStatus> {
  const left = new LateSignal();
  let cut = (_reason: string): void => undefined;
  const isCut = new Promise<never>((_, reject) => {
    cut = (reason) => {
      left.abort();
      reject(new Error(reason));
    };
  });
  const timer = setTimeout(() => cut(`no answer within ${timeoutMs} ms`), timeoutMs);
  const end = () => cut('not asked any more');
  signal?.addEventListener('abort', end, { once: true });
  try {
    const asked = { method: 'GET', target: path, headers: {}, body: null, parsed: null, signal: left.signal };
    const { status, headers } = await Promise.race([answer({ ...asked, beginsWork() {} }), isCut]);
    return { status, isDegraded: headers[DEGRADED_HEADER] !== undefined };
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', end);
  }
}

async function askByHttp({
  origin,
  path,
  timeoutMs,
  tls = null,
  signal,
}: StatusQuestion): Promise<AskedStatus> {
  const { Client } = undici();
  const client = new Client(origin, { pipelining: 0, connect: connectOptions(tls) });
  const cut = (reason: string) => void client.destroy(new Error(reason));
  const timer = setTimeout(() => cut(`no answer within ${timeoutMs} ms`), timeoutMs);
  const end = () => cut('not asked any more');
  signal?.addEventListener('abort', end, { once: true });
  try {
    const { statusCode, headers, body } = await client.request({ method: 'GET', path });
    await body.dump();
    return { status: statusCode, isDegraded: headers[DEGRADED_HEADER] !== undefined };
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', end);
    client.destroy().catch(() => undefined);
  }
}
