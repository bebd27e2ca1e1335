/** Answers GET with bytes that stay the same while the gateway runs: under an entity tag, compressed when that is accepted. */
import { createHash } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { namesEntityTag } from '../../services/shared/http/entity-tag.ts';
import { acceptsGzip } from '../../services/shared/http/representation.ts';
import { pushCommonHeaders } from '../../services/shared/plugin/reply.ts';
import type { GatewayRequest } from '../../services/shared/plugin/request-context.ts';

/** What is sent, and how it may be kept. */
export interface StaticAnswer {
  readonly mediaType: string;
  readonly cacheControl: string;
  /** Further headers, as name, value, name, value. */
  readonly headers: readonly string[];
  readonly plain: Buffer;
  /** Weak: plain and compressed bytes are the same thing (RFC 9110, 8.8.3). */
  readonly etag: string;
  /** The compressed bytes, made when first asked for. */
  compressed(): Promise<Buffer>;
}

const compress = promisify(gzip);

/** A name for these bytes that no others have. */
export function versionOf(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('base64url').slice(0, 22);
}

export function createStaticAnswer(
  plain: Buffer,
  described: Pick<StaticAnswer, 'mediaType' | 'cacheControl'> & { readonly headers?: readonly string[] },
): StaticAnswer {
  let compressed: Promise<Buffer> | null = null;
  return {
    headers: [],
    ...described,
    plain,
    etag: `W/"${versionOf(plain)}"`,
    compressed() {
      compressed ??= compress(plain);
      return compressed;
    },
  };
}

/** Answers 200, or 304 to a client that has it. */
export async function sendStatic(
  req: GatewayRequest,
  res: ServerResponse,
  answer: StaticAnswer,
): Promise<void> {
  const headers = ['ETag', answer.etag, 'Cache-Control', answer.cacheControl, 'Vary', 'Accept-Encoding'];
  headers.push(...answer.headers);
  if (namesEntityTag(req.headers['if-none-match'], answer.etag)) {
    pushCommonHeaders(headers, req.context);
    res.writeHead(304, headers);
    res.end();
    return;
  }
  const isCompressed = acceptsGzip(req.headers['accept-encoding']?.toString());
  const bytes = isCompressed ? await answer.compressed() : answer.plain;
  headers.push('Content-Type', answer.mediaType, 'Content-Length', `${bytes.length}`);
  if (isCompressed) headers.push('Content-Encoding', 'gzip');
  pushCommonHeaders(headers, req.context);
  res.writeHead(200, headers);
  res.end(bytes);
}
