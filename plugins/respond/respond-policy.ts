/** Answers by itself what the configuration says: a fixed document, or that a backend is under maintenance. */
import { z } from 'zod';
import { ApiError } from '../../services/shared/errors/api-error.ts';
import { isIdentityHeader } from '../../services/shared/identity/identity-token.ts';
import { defineGatewayPolicy } from '../kit/gateway-policy.ts';
import { HOP_BY_HOP, plainName, REPLACED_IN_RESPONSE } from '../kit/header-names.ts';
import { pushCommonHeaders } from '../kit/reply.ts';

/** Larger documents belong into a folder of `pages`. */
const MOST_BYTES = 65_536;
/** Statuses that say nothing by a body. */
const EMPTY = [204, 205];
/** What the other parameters say, and what the gateway adds. */
const RESERVED = new Set([
  ...[...HOP_BY_HOP, ...REPLACED_IN_RESPONSE],
  ...['content-type', 'content-length', 'content-encoding', 'location', 'vary', 'x-content-type-options'],
]);

const visible = z
  .string()
  .max(4_000)
  .regex(/^[!-~](?:[ -~]*[!-~])?$/, 'is no value of a header: visible ASCII');

const respondParams = z
  .strictObject({
    status: z
      .number()
      .int()
      .min(200)
      .max(599)
      .refine((status) => status < 300 || status >= 400, 'is for the policy redirect, or for caches')
      .default(200)
      .describe('Status of a fixed answer, 200 to 299 or 400 to 599. Default 200.'),
    text: z.string().optional().describe('The body, as it is. Absent, with no json: none.'),
    json: z.json().optional().describe('The body, written as JSON.'),
    contentType: visible
      .optional()
      .describe('Default text/plain; charset=utf-8, and of json application/json.'),
    headers: z.record(z.string(), visible).default({}).describe('Further headers, by name. Default: none.'),
    maintenance: z
      .strictObject({
        message: z
          .string()
          .min(1)
          .max(500)
          .default('This is under maintenance; try again later.')
          .describe('What the error says.'),
        retryAfterSeconds: z
          .number()
          .int()
          .min(1)
          .max(86_400)
          .default(300)
          .describe('What Retry-After says. Default 300.'),
      })
      .optional()
      .describe('Answers 503 as every error of the gateway looks; nothing else may be said.'),
  })
  .superRefine(({ status, text, json, contentType, headers, maintenance }, context) => {
    const fault = (path: PropertyKey[], message: string) =>
      context.addIssue({ code: 'custom', path, message });
    const isFixed =
      status !== 200 ||
      [text, json, contentType].some((one) => one !== undefined) ||
      Object.keys(headers).length > 0;
    if (maintenance !== undefined && isFixed)
      fault(['maintenance'], 'stands alone: it is an answer of its own');
    if (text !== undefined && json !== undefined)
      fault(['json'], 'stands beside text; only one can be the body');
    const body = bodyOf(text, json);
    if (body !== '' && EMPTY.includes(status)) fault(['status'], `${status} has no body`);
    if (Buffer.byteLength(body) > MOST_BYTES) fault([], `has a body of more than ${MOST_BYTES} bytes`);
    for (const name of Object.keys(headers)) {
      if (!/^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/.test(name))
        fault(['headers', name], `"${name}" is not the name of a header`);
      else if (RESERVED.has(plainName(name)) || isIdentityHeader(plainName(name)))
        fault(['headers', name], `"${name}" is the gateway's own`);
    }
  });

function bodyOf(text: string | undefined, json: unknown): string {
  return json === undefined ? (text ?? '') : JSON.stringify(json);
}

export const respondPolicy = defineGatewayPolicy({
  name: 'respond',
  schema: respondParams,
  explain({ status, text, json, maintenance }) {
    if (maintenance !== undefined) return `answers 503, to try again in ${maintenance.retryAfterSeconds} s`;
    return `answers ${status} with ${Buffer.byteLength(bodyOf(text, json))} bytes`;
  },
  create({ status, text, json, contentType, headers, maintenance }) {
    if (maintenance !== undefined) {
      const { message, retryAfterSeconds } = maintenance;
      return function respondMaintenance(_req, _res, next) {
        next(
          new ApiError('SERVICE_UNAVAILABLE', {
            text: message,
            headers: { 'Retry-After': `${retryAfterSeconds}` },
          }),
        );
      };
    }
    const body = Buffer.from(bodyOf(text, json));
    const fallback = json === undefined ? 'text/plain; charset=utf-8' : 'application/json; charset=utf-8';
    const own = Object.entries(headers).flat();
    if (body.length > 0 || contentType !== undefined) own.push('Content-Type', contentType ?? fallback);
    if (!EMPTY.includes(status)) own.push('Content-Length', `${body.length}`);
    return function respond(req, res) {
      const all = [...own];
      pushCommonHeaders(all, req.context);
      res.writeHead(status, all);
      res.end(body);
    };
  },
});
