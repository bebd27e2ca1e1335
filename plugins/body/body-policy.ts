/** Checks size and media type of a request body before anything is spent on it, and reads small bodies whole. */
import { z } from 'zod';
import { ApiError } from '../../services/shared/errors/api-error.ts';
import { wrongEncoding, wrongType } from '../../services/shared/errors/media-faults.ts';
import { payloadTooLarge } from '../../services/shared/errors/payload-too-large.ts';
import { validationError } from '../../services/shared/errors/zod-details.ts';
import { defineGatewayPolicy } from '../kit/gateway-policy.ts';
import type { GatewayRequest, GatewayResponse, Next } from '../kit/request-context.ts';
import { type BodyRoom, createShareOf, noRoom } from './body-room.ts';
import { encodingOf, inflateLater } from './inflate.ts';
import { createDrainBudget, readUnlessRefused } from './read-unless-refused.ts';
import { SMALL_BYTES } from './read-whole.ts';

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
      'whole: read whole and inflated in the gateway, as on every endpoint with a cost; stream: passed on as it comes. Default stream.',
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

export const bodyPolicy = defineGatewayPolicy({
  name: 'body',
  schema: bodyParams,
  create(params, runtime) {
    const { clock } = runtime;
    const shareOf = createShareOf(runtime);
    const mayDrain = createDrainBudget(clock);
    const accepted = new Set(params.contentTypes);

    /**
     * Hands on a request whose body has arrived. If that took a while, its sender is judged again and may have lost
     * access.
     */
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
     * Reads the whole body. An encoded body stays encoded until the rate-limit policy asks for the plain bytes. A body
     * that breaks off counts nowhere, since it is never answered; room and time bound what it can take meanwhile.
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
      const timeoutMs = params.readTimeoutSeconds * 1000;
      readUnlessRefused(req, length, encoding === 'plain', maxBytes, timeoutMs, share.room, (result) => {
        if (result === 'left') return;
        if (result === 'too-large') context.refuse(payloadTooLarge(maxBytes));
        else if (result === 'crumbs') context.refuse(CRUMBS);
        else if (result === 'too-slow') context.refuse(new ApiError('REQUEST_TIMEOUT'));
        else if (result instanceof ApiError) {
          // A chunked body is already being read; the rest is dropped.
          context.leavesBodyUnread = length !== null && !mayDrain();
          next(result);
          return;
        } else if (result === 'no-room' || !holds(share.room, result, req, res)) {
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
        context.refuse(wrongType(req.headers['content-type'] ?? '', params.contentTypes));
      else if (encoding === 'unknown') context.refuse(wrongEncoding(req.headers['content-encoding'] ?? ''));
      else if (params.read === 'whole' || context.endpoint.cost === 'body') {
        readBody(req, res, length, encoding, next);
        return;
      } else if (length !== null && length <= SMALL_BYTES) {
        // It is read whole anyway: one buffer costs half as much as a stream.
        // A body that is only passed on keeps its encoding: the service decodes it.
        readBody(req, res, length, 'plain', next);
        return;
      } else context.streamLimit = params.maxBytes;
      next();
    };
  },
});

/** Keeps the room of a large body until it is answered. */
function holds(room: BodyRoom, body: Buffer, req: GatewayRequest, res: GatewayResponse): boolean {
  return body.length <= SMALL_BYTES || room.hold(body.buffer.byteLength, req, res);
}

/** Whether a body is announced; bodies of GET and HEAD have no meaning (RFC 9110, 9.3.1) and are left unread. */
function hasBody(req: GatewayRequest): boolean {
  if (req.method === 'GET' || req.method === 'HEAD') return false;
  const { headers } = req;
  return headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';
}

/** Whether the Content-Type is one of `accepted` in UTF-8; a missing one means JSON (contract.md section 8). */
function isAccepted(contentType: string | undefined, accepted: ReadonlySet<string>): boolean {
  if (contentType === undefined || contentType === '' || accepted.has(contentType)) return true;
  const [type = '', ...parameters] = contentType.toLowerCase().split(';');
  if (!accepted.has(type.trim())) return false;
  return parameters.every((parameter) => {
    const [name = '', value = ''] = parameter.split('=');
    return name.trim() !== 'charset' || /^"?utf-8"?$/.test(value.trim());
  });
}
