/** Judges size and media type of a request body before anything is spent on it, and reads small ones whole. */
import { z } from 'zod';
import { ApiError } from '../../services/shared/errors/api-error.ts';
import { payloadTooLarge } from '../../services/shared/errors/payload-too-large.ts';
import { validationError } from '../../services/shared/errors/zod-details.ts';
import { definePolicy } from '../../services/shared/plugin/define-plugin.ts';
import type { GatewayRequest, GatewayResponse, Next } from '../../services/shared/plugin/request-context.ts';
import { type BodyRoom, createShareOf, noRoom } from './body-room.ts';
import { encodingOf, inflateLater } from './inflate.ts';
import { isAccepted, wrongEncoding, wrongType } from './media-type.ts';
import { readWhole, SMALL_BYTES } from './read-whole.ts';

const bodyParams = z.strictObject({
  maxBytes: z
    .number()
    .int()
    .min(0)
    .max(1_073_741_824)
    .default(1_048_576)
    .describe('Largest body, in bytes, compressed or not; a larger one is 413. Default 1 MiB.'),
  contentTypes: z
    .array(z.string().regex(/^[a-z]+\/[a-z0-9.+-]+$/, 'must be a media type in lower case'))
    .min(1)
    .default(['application/json'])
    .describe('Media types that the route reads; another is 415. A missing Content-Type is JSON.'),
  read: z
    .enum(['whole', 'stream'])
    .default('stream')
    .describe(
      'whole: read whole and inflated in the gateway, as on every endpoint with cost: body; stream: passed on as it comes. Default stream.',
    ),
  readTimeoutSeconds: z
    .number()
    .int()
    .min(1)
    .max(300)
    .default(10)
    .describe('How long reading a whole body may take, in seconds; longer is 408. Default 10.'),
});

const CRUMBS = validationError([{ field: 'body', message: 'The body came in too many small chunks.' }]);

export const bodyPolicy = definePolicy({
  name: 'body',
  schema: bodyParams,
  create(params, runtime) {
    const { clock } = runtime;
    const shareOf = createShareOf(runtime);
    const accepted = new Set(params.contentTypes);

    /** Hands on a request whose body has come. If that took a while its sender is judged anew: it may have lost its rights. */
    function handOn(req: GatewayRequest, res: GatewayResponse, beganAtMs: number, next: Next): void {
      const { context } = req;
      const { judge } = context;
      if (judge === null || context.refusal !== null || clock.now() === beganAtMs) next();
      else {
        context.principal = null;
        judge(req, res, next);
      }
    }

    /**
     * Reads the whole body. One in an encoding stays in it until the rate-limit policy asks for the plain bytes. A body that is
     * broken off counts nowhere, for it is never answered; what it can take meanwhile is bounded by room and time.
     */
    function readBody(
      req: GatewayRequest,
      res: GatewayResponse,
      length: number | null,
      encoding: string,
      next: Next,
    ): void {
      const { context } = req;
      const { maxBytes } = params;
      const beganAtMs = clock.now();
      const share = shareOf(context);
      readWhole(req, length, maxBytes, params.readTimeoutSeconds * 1000, share.room, (result) => {
        if (result === 'left') return;
        if (result === 'too-large') context.refuse(payloadTooLarge(maxBytes));
        else if (result === 'crumbs') context.refuse(CRUMBS);
        else if (result === 'too-slow') context.refuse(new ApiError('REQUEST_TIMEOUT'));
        else if (result === 'no-room' || !holds(share.room, result, req, res)) {
          next(noRoom());
          return;
        } else if (encoding === 'plain') context.body = result;
        else context.inflate = inflateLater(req, res, encoding, result, maxBytes, share);
        handOn(req, res, beganAtMs, next);
      });
    }

    return function body(req, res, next) {
      const { context } = req;
      if (context.refusal !== null || !hasBody(req)) {
        next();
        return;
      }
      const declared = req.headers['content-length'];
      const length = declared === undefined ? null : Number(declared);
      const encoding = encodingOf(req.headers['content-encoding']);
      if (length !== null && length > params.maxBytes) context.refuse(payloadTooLarge(params.maxBytes));
      else if (!isAccepted(req.headers['content-type'], accepted))
        context.refuse(wrongType(params.contentTypes));
      else if (encoding === 'unknown') context.refuse(wrongEncoding());
      else if (params.read === 'whole' || context.endpoint.cost === 'body') {
        readBody(req, res, length, encoding, next);
        return;
      } else if (length !== null && length <= SMALL_BYTES) {
        // Read whole anyway: one buffer costs half of a stream.
        // A body that is only passed on keeps its encoding: the service takes it out of it.
        readBody(req, res, length, 'plain', next);
        return;
      } else context.streamLimit = params.maxBytes;
      next();
    };
  },
});

/** Keeps the room of a body that is not small until it is answered. */
function holds(room: BodyRoom, body: Buffer, req: GatewayRequest, res: GatewayResponse): boolean {
  return body.length <= SMALL_BYTES || room.hold(body.buffer.byteLength, req, res);
}

/** Whether a body is announced; those of GET and HEAD have no meaning (RFC 9110, 9.3.1) and are left unread. */
function hasBody(req: GatewayRequest): boolean {
  if (req.method === 'GET' || req.method === 'HEAD') return false;
  const { headers } = req;
  return headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';
}
