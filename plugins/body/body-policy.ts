/** Judges size and media type of a request body before anything is spent on it, and reads small ones whole. */
import { z } from 'zod';
import { ApiError } from '../../services/shared/errors/api-error.ts';
import { payloadTooLarge } from '../../services/shared/errors/payload-too-large.ts';
import { validationError } from '../../services/shared/errors/zod-details.ts';
import { definePolicy } from '../../services/shared/plugin/define-plugin.ts';
import type { GatewayRequest } from '../../services/shared/plugin/request-context.ts';
import { readWhole } from './read-whole.ts';

/** A body up to this size, in bytes, is read whole anyway: one buffer costs half of a stream. */
const BUFFERED_BYTES = 65_536;

const bodyParams = z.strictObject({
  maxBytes: z
    .number()
    .int()
    .min(0)
    .max(1_073_741_824)
    .default(1_048_576)
    .describe('Largest body, in bytes; a larger one is 413. Default 1 MiB.'),
  contentTypes: z
    .array(z.string().regex(/^[a-z]+\/[a-z0-9.+-]+$/, 'must be a media type in lower case'))
    .min(1)
    .default(['application/json'])
    .describe('Media types that the route reads; another is 415. A missing Content-Type is JSON.'),
  read: z
    .enum(['whole', 'stream'])
    .default('stream')
    .describe('whole: read before the rate-limit decision; stream: passed on as it comes. Default stream.'),
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
  create(params) {
    const accepted = new Set(params.contentTypes);
    return function body(req, _res, next) {
      const { context } = req;
      if (context.refusal !== null || !hasBody(req)) {
        next();
        return;
      }
      const declared = req.headers['content-length'];
      const length = declared === undefined ? null : Number(declared);
      if (length !== null && length > params.maxBytes) context.refuse(payloadTooLarge(params.maxBytes));
      else if (!isAccepted(req.headers['content-type'], accepted))
        context.refuse(wrongType(params.contentTypes));
      else if (params.read === 'whole' || (length !== null && length <= BUFFERED_BYTES)) {
        readWhole(req, length, params.maxBytes, params.readTimeoutSeconds * 1000, (result) => {
          if (result === 'left') return;
          if (result === 'too-large') context.refuse(payloadTooLarge(params.maxBytes));
          else if (result === 'crumbs') context.refuse(CRUMBS);
          else if (result === 'too-slow') context.refuse(new ApiError('REQUEST_TIMEOUT'));
          else context.body = result;
          next();
        });
        return;
      } else context.streamLimit = params.maxBytes;
      next();
    };
  },
});

/** Whether a body is announced; those of GET and HEAD have no meaning (RFC 9110, 9.3.1) and are left unread. */
function hasBody(req: GatewayRequest): boolean {
  if (req.method === 'GET' || req.method === 'HEAD') return false;
  const { headers } = req;
  return headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';
}

function isAccepted(contentType: string | undefined, accepted: ReadonlySet<string>): boolean {
  if (contentType === undefined || contentType === '' || accepted.has(contentType)) return true;
  const [type = '', ...parameters] = contentType.toLowerCase().split(';');
  if (!accepted.has(type.trim())) return false;
  return parameters.every((parameter) => {
    const [name = '', value = ''] = parameter.split('=');
    return name.trim() !== 'charset' || /^"?utf-8"?$/.test(value.trim());
  });
}

function wrongType(allowed: readonly string[]): ApiError {
  return new ApiError('UNSUPPORTED_MEDIA_TYPE', {
    text: `Send the body as ${allowed.join(' or ')}, in UTF-8.`,
  });
}
