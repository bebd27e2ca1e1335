/** Inflates a request body off the event loop, bounded in what comes out of it. */
import { brotliDecompress, gunzip, inflate } from 'node:zlib';

type Inflate = (
  body: Buffer,
  options: { maxOutputLength: number },
  done: (fault: NodeJS.ErrnoException | null, result: Buffer) => void,
) => void;

/** By the value of Content-Encoding. */
const ENCODINGS: Readonly<Record<string, Inflate>> = { gzip: gunzip, deflate: inflate, br: brotliDecompress };

/** How a body is encoded: `plain`, a name that {@link inflateBody} takes, or something that nobody here reads. */
export function encodingOf(contentEncoding: string | undefined): string | 'plain' | 'unknown' {
  if (contentEncoding === undefined || contentEncoding === '') return 'plain';
  const name = contentEncoding.trim().toLowerCase();
  if (name === 'identity') return 'plain';
  return Object.hasOwn(ENCODINGS, name) ? name : 'unknown';
}

/** Calls `done` once, with the body, or why there is none: more than `maxBytes` came out, or it is not what was said. */
export function inflateBody(
  encoding: string,
  body: Buffer,
  maxBytes: number,
  done: (result: Buffer | 'too-large' | 'broken') => void,
): void {
  const run = ENCODINGS[encoding];
  if (!run) throw new TypeError(`no encoding "${encoding}"`);
  // A bound of nothing is none to zlib.
  run(body, { maxOutputLength: Math.max(1, maxBytes) }, (fault, result) => {
    if (fault === null) done(result);
    else done(fault.code === 'ERR_BUFFER_TOO_LARGE' ? 'too-large' : 'broken');
  });
}
