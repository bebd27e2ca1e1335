/** Which answers of services are compressed for clients that ask for it, within bounds on memory and processor. */
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { type Coding, codingFor } from '../../services/shared/http/representation.ts';
import type { Count, Metrics } from '../../services/shared/ports/metrics.ts';
import type { GatewayRequest } from '../kit/request-context.ts';
import type { GatewayRuntime } from '../kit/runtime.ts';

/** Compression pays from this size on, in bytes (contract.md section 1); above the upper one, answers leave as they come. */
const LEAST_BYTES = 1_024;
const MOST_BYTES = 8_388_608;
/** Total bytes of answers held for compression, and how many are worked on at once: others leave plain. */
const MOST_HELD_BYTES = 33_554_432;
const MOST_AT_ONCE = 4;

/** Low levels: both take about 4 ms of a processor per megabyte of JSON, and leave a sixth (gzip) and a ninth (br) of it. */
const GZIP = { level: 1 };
const BROTLI_QUALITY = 2;
/** 256 KB of memory for the window instead of 4 MB. */
const BROTLI_WINDOW_BITS = 18;

/** Text in one piece: streams of lines and events have no length, and should not wait for their end. */
const TEXT =
  /^\s*(?:text\/(?!event-stream)[a-z0-9.+-]+|application\/(?:[a-z0-9.-]+\+)?(?:json|javascript|xml)|image\/svg\+xml)\s*(?:;|$)/i;
/** Headers by which an answer demands that its bytes stay as they are. */
const FIXED = ['content-encoding', 'content-range', 'content-digest', 'content-md5', 'digest', 'set-cookie'];

/** By lower-case name. */
export type AnswerHeaders = Readonly<Record<string, string | string[] | undefined>>;

const compress: Readonly<Record<Coding, (bytes: Buffer) => Promise<Buffer>>> = {
  gzip: (bytes) => promisify<Buffer, object, Buffer>(gzip)(bytes, GZIP),
  br: (bytes) =>
    promisify<Buffer, object, Buffer>(brotliCompress)(bytes, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
        [constants.BROTLI_PARAM_LGWIN]: BROTLI_WINDOW_BITS,
        [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
        [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
      },
    }),
};

/**
 * Whether the answer is compressed for those who ask. Never where it may hold a secret next to client input, since its
 * length would then reveal the secret (BREACH). Only sessions manage keys, invitations and sessions, so no answer of an
 * endpoint with `access: session` is compressed; nor one that sets a cookie, or says `no-transform`. `sent`: what the client
 * gets in place of the backend's headers. Its type decides, and either may demand that the bytes stay as they are.
 */
export function isCompressible(
  req: GatewayRequest,
  status: number,
  headers: AnswerHeaders,
  sent: AnswerHeaders = headers,
): boolean {
  const length = Number(headers['content-length'] ?? 0);
  if (!(length >= LEAST_BYTES && length <= MOST_BYTES)) return false;
  if (req.context.endpoint.access === 'session') return false;
  if (status < 200 || status === 204 || status === 206 || status === 304) return false;
  const type = sent['content-type'];
  if (typeof type !== 'string' || !TEXT.test(type)) return false;
  return !staysAsItIs(headers) && (sent === headers || !staysAsItIs(sent));
}

/** Whether an answer with these headers demands that its bytes stay as they are. */
function staysAsItIs(headers: AnswerHeaders): boolean {
  if (FIXED.some((name) => headers[name] !== undefined)) return true;
  return /\bno-transform\b/i.test(String(headers['cache-control'] ?? ''));
}

/** Headers (name, value, name, value) by lower-case name, those of one name joined. */
export function byName(list: readonly string[]): AnswerHeaders {
  const headers: Record<string, string> = {};
  for (let index = 0; index < list.length; index += 2) {
    const name = (list[index] as string).toLowerCase();
    const value = list[index + 1] as string;
    headers[name] = headers[name] === undefined ? value : `${headers[name]}, ${value}`;
  }
  return headers;
}

/** The encoding that the client wants; null for none. */
export function wantedCoding(req: GatewayRequest): Coding | null {
  return codingFor(req.headers['accept-encoding']?.toString());
}

/**
 * Makes `out` (name, value, name, value) the headers of the compressed answer. Its tag becomes weak, since it names both
 * forms; an If-Match reaches the service with the original tag (forwarded-headers.ts).
 * forms; in If-Match it comes back as the service gave it (forwarded-headers.ts).
 */
export function describeCoding(out: string[], coding: Coding, length: number | null): void {
  for (let index = out.length - 2; index >= 0; index -= 2) {
    const name = (out[index] as string).toLowerCase();
    const value = out[index + 1] as string;
    if (name === 'content-length') out.splice(index, 2);
    else if (name === 'accept-ranges') out.splice(index, 2);
    else if (name === 'etag' && value.startsWith('"')) out[index + 1] = `W/${value}`;
  }
  out.push('Content-Encoding', coding);
  if (length !== null) out.push('Content-Length', `${length}`);
}

export class Compression {
  readonly #made: Readonly<Record<Coding | 'none', Count>>;
  #heldBytes = 0;
  #atWork = 0;

  constructor(metrics: Metrics) {
    const answers = metrics.counter(
      'tidegate_compressed_answers_total',
      'Answers that a client wanted compressed, by what they came in; none: too much was under way.',
      { coding: ['br', 'gzip', 'none'] },
    );
    this.#made = {
      br: answers.of({ coding: 'br' }),
      gzip: answers.of({ coding: 'gzip' }),
      none: answers.of({ coding: 'none' }),
    };
  }

  /** Reserves room for this many bytes; false when there is none. Give back what was taken. */
  take(bytes: number): boolean {
    if (this.#heldBytes + bytes > MOST_HELD_BYTES || this.#atWork >= MOST_AT_ONCE) {
      this.#made.none.add();
      return false;
    }
    this.#heldBytes += bytes;
    return true;
  }

  give(bytes: number): void {
    this.#heldBytes -= bytes;
  }

  /** The compressed bytes, made off the event loop; null when too much is in progress or nothing is gained. */
  async compress(bytes: Buffer, coding: Coding): Promise<Buffer | null> {
    if (this.#atWork >= MOST_AT_ONCE) {
      this.#made.none.add();
      return null;
    }
    this.#atWork++;
    try {
      const compressed = await compress[coding](bytes);
      if (compressed.length >= bytes.length) return null;
      this.#made[coding].add();
      return compressed;
    } finally {
      this.#atWork--;
    }
  }
}

/** One for each running configuration: all its proxy steps share the bounds. */
const compressions = new WeakMap<GatewayRuntime, Compression>();

export function compressionOf(runtime: GatewayRuntime): Compression {
  const made = compressions.get(runtime) ?? new Compression(runtime.metrics);
  compressions.set(runtime, made);
  return made;
}
