/** Inflates a request body off the event loop, when its content is needed, bounded in output and in parallel work. */
import { brotliDecompress, gunzip, inflate } from 'node:zlib';
import { payloadTooLarge } from '../../services/shared/errors/payload-too-large.ts';
import { validationError } from '../../services/shared/errors/zod-details.ts';
import type { GatewayRequest, GatewayResponse, InflateBody } from '../kit/request-context.ts';
import { type BodyShare, noRoom } from './body-room.ts';

type Inflate = (
  body: Buffer,
  options: { maxOutputLength: number; chunkSize: number },
  done: (fault: NodeJS.ErrnoException | null, result: Buffer) => void,
) => void;

/** By the value of Content-Encoding. */
const ENCODINGS: Readonly<Record<string, Inflate>> = { gzip: gunzip, deflate: inflate, br: brotliDecompress };

/** Output chunk size, in bytes: each chunk is a turn of the event loop. */
const CHUNK_BYTES = 32_768;

const BROKEN = validationError([
  { field: 'body', message: 'The body is not what its Content-Encoding says.' },
]);

/** How a body is encoded: `plain`, a name that {@link inflateLater} accepts, or an unsupported encoding. */
export function encodingOf(contentEncoding: string | undefined): string | 'plain' | 'unknown' {
  if (contentEncoding === undefined || contentEncoding === '') return 'plain';
  const name = contentEncoding.trim().toLowerCase();
  if (name === 'identity') return 'plain';
  return Object.hasOwn(ENCODINGS, name) ? name : 'unknown';
}

/** Returns a function that puts the plain bytes of `body`, at most `maxBytes`, on the context when called. */
export function inflateLater(
  req: GatewayRequest,
  res: GatewayResponse,
  encoding: string,
  body: Buffer,
  maxBytes: number,
  { room, turns }: BodyShare,
): InflateBody {
  const run = ENCODINGS[encoding];
  if (!run) throw new TypeError(`no encoding "${encoding}"`);
  // zlib does not accept a bound of zero.
  const options = { maxOutputLength: Math.max(1, maxBytes), chunkSize: CHUNK_BYTES };
  const { context } = req;
  return (isWanted) =>
    new Promise((resolve, reject) => {
      const begin = (leave: () => void): void => {
        // If the client left, nothing is inflated or answered: the promise stays pending.
        const hasLeft = req.socket.destroyed;
        if (hasLeft || !isWanted()) {
          leave();
          if (!hasLeft) resolve(false);
          return;
        }
        run(body, options, (fault, plain) => {
          leave();
          context.inflate = null;
          if (fault !== null)
            context.refuse(fault.code === 'ERR_BUFFER_TOO_LARGE' ? payloadTooLarge(maxBytes) : BROKEN);
          else if (!room.hold(plain.length, req, res)) {
            reject(noRoom());
            return;
          } else {
            context.body = plain;
            context.isInflated = true;
          }
          resolve(true);
        });
      };
      if (!turns.enter(body.length, begin)) reject(noRoom());
    });
}
