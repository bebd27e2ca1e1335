/** The tracker's script as served: its bytes, plain and compressed once at startup, under one version. */
import { createHash } from 'node:crypto';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { Coding } from '../../shared/http/representation.ts';

export interface TrackerScript {
  readonly plain: Uint8Array;
  readonly compressed: Readonly<Record<Coding, Uint8Array>>;
  /** A weak entity tag (RFC 9110, 8.8.3): plain and compressed bytes are the same script. */
  readonly etag: string;
}

/** The one made last: a process that makes a service again has the same script, and compressing it takes 20 ms. */
let last: TrackerScript | undefined;

export function createTrackerScript(plain: Uint8Array): TrackerScript {
  const version = createHash('sha256').update(plain).digest('base64url').slice(0, 22);
  const etag = `W/"${version}"`;
  if (last?.etag !== etag) {
    const compressed = {
      br: brotliCompressSync(plain),
      gzip: gzipSync(plain, { level: constants.Z_BEST_COMPRESSION }),
    };
    last = { plain, compressed, etag };
  }
  return last;
}
