/** The tracker's script as it is served: its bytes, plain and compressed once at the start, under one version. */
import { createHash } from 'node:crypto';
import { constants, gzipSync } from 'node:zlib';

export interface TrackerScript {
  readonly plain: Uint8Array;
  readonly gzipped: Uint8Array;
  /** A weak entity tag (RFC 9110, 8.8.3): plain and compressed bytes are the same script. */
  readonly etag: string;
}

export function createTrackerScript(plain: Uint8Array): TrackerScript {
  const version = createHash('sha256').update(plain).digest('base64url').slice(0, 22);
  return {
    plain,
    gzipped: gzipSync(plain, { level: constants.Z_BEST_COMPRESSION }),
    etag: `W/"${version}"`,
  };
}

/** Whether an `Accept-Encoding` admits gzip (RFC 9110, 12.5.3); without the header, plain bytes are the safe answer. */
export function acceptsGzip(header: string | undefined): boolean {
  const weights = new Map<string, number>();
  for (const part of (header ?? '').toLowerCase().split(',')) {
    const [coding = '', ...parameters] = part.split(';').map((text) => text.trim());
    const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
    weights.set(coding, weight === undefined ? 1 : Number(weight));
  }
  return (weights.get('gzip') ?? weights.get('*') ?? 0) > 0;
}
