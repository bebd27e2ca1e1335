/** Answers GET with bytes that stay the same while the gateway runs: under an entity tag, compressed when that is accepted. */
import { createHash } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import { namesEntityTag } from '../../services/shared/http/entity-tag.ts';
import { CODINGS, type Coding, codingFor } from '../../services/shared/http/representation.ts';
import { VARIES } from './answer-headers.ts';
import { pushCommonHeaders } from './reply.ts';
import type { GatewayRequest } from './request-context.ts';

/** What is sent, and how it may be kept. */
export interface StaticAnswer {
  readonly mediaType: string;
  readonly cacheControl: string;
  /** Further headers, as name, value, name, value. */
  readonly headers: readonly string[];
  readonly plain: Buffer;
  /** Weak: plain and compressed bytes are the same thing (RFC 9110, 8.8.3). */
  readonly etag: string;
  /** The codings that it can come in. */
  readonly codings: readonly Coding[];
  /** The bytes in one of its codings. */
  compressed(coding: Coding): Buffer | Promise<Buffer>;
}

/** How an answer is described; without `headers` it has none of its own. */
export type StaticDescription = Pick<StaticAnswer, 'mediaType' | 'cacheControl'> & {
  readonly headers?: readonly string[];
};

const COMPRESS: Readonly<Record<Coding, (bytes: Buffer) => Promise<Buffer>>> = {
  br: promisify<Buffer, Buffer>(brotliCompress),
  gzip: promisify<Buffer, Buffer>(gzip),
};

/** A name for these bytes that no others have. */
export function versionOf(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('base64url').slice(0, 22);
}

/** Each compressed form is made when first asked for, and kept. */
export function createStaticAnswer(plain: Buffer, described: StaticDescription): StaticAnswer {
  const compressed = new Map<Coding, Promise<Buffer>>();
  return {
    ...basicAnswer(plain, described),
    codings: CODINGS,
    compressed(coding) {
      const made = compressed.get(coding) ?? COMPRESS[coding](plain);
      compressed.set(coding, made);
      return made;
    },
  };
}

/** Comes in the forms that a build made of it, and plain; nothing is compressed here. */
export function createBuiltAnswer(
  plain: Buffer,
  made: ReadonlyMap<Coding, Buffer>,
  described: StaticDescription,
): StaticAnswer {
  return {
    ...basicAnswer(plain, described),
    codings: CODINGS.filter((coding) => made.has(coding)),
    compressed: (coding) => made.get(coding) as Buffer,
  };
}

function basicAnswer(
  plain: Buffer,
  { mediaType, cacheControl, headers = [] }: StaticDescription,
): Omit<StaticAnswer, 'codings' | 'compressed'> {
  return { mediaType, cacheControl, headers, plain, etag: `W/"${versionOf(plain)}"` };
}

/** Answers 200, or 304 to a client that has it. */
export async function sendStatic(
  req: GatewayRequest,
  res: ServerResponse,
  answer: StaticAnswer,
): Promise<void> {
  const headers = ['ETag', answer.etag, 'Cache-Control', answer.cacheControl, ...answer.headers];
  if (answer.codings.length > 0) req.context.varies |= VARIES.encoding;
  if (namesEntityTag(req.headers['if-none-match'], answer.etag)) {
    pushCommonHeaders(headers, req.context);
    res.writeHead(304, headers);
    res.end();
    return;
  }
  const coding = codingFor(req.headers['accept-encoding']?.toString(), answer.codings);
  const bytes = coding === null ? answer.plain : await answer.compressed(coding);
  headers.push('Content-Type', answer.mediaType, 'Content-Length', `${bytes.length}`);
  if (coding !== null) headers.push('Content-Encoding', coding);
  pushCommonHeaders(headers, req.context);
  res.writeHead(200, headers);
  res.end(bytes);
}
