/** Rules that send some requests to a backend whatever the shares: by a header, a cookie or the organization. */
import { z } from 'zod';
import { isIdentityHeader } from '../../services/shared/identity/identity-token.ts';
import { readCookieNamed } from '../kit/cookie-header.ts';
import { HOP_BY_HOP, plainName, REPLACED_IN_REQUEST } from '../kit/header-names.ts';
import type { GatewayRequest } from '../kit/request-context.ts';

const MOST = 100;
/** What the gateway sets or takes out itself; a client's own says nothing there. */
const RESERVED = new Set([...HOP_BY_HOP, ...REPLACED_IN_REQUEST]);
/** What names of headers and cookies consist of (RFC 9110, 5.6.2; RFC 6265, 4.1.1). */
const NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/;
const VALUE = /^[!-~](?:[ -~]*[!-~])?$/;

const values = z
  .array(z.string().max(200).regex(VALUE, 'is no value of a header: visible ASCII'))
  .min(1)
  .max(MOST)
  .describe('The values that count, as they are written.');
const named = (what: string) =>
  z.strictObject({ name: z.string().regex(NAME).describe(`Name of the ${what}.`), values });

export const ruleSchema = z
  .strictObject({
    to: z.string().describe('Name of the serviceEndpoint that answers.'),
    header: named('header')
      .optional()
      .describe('Requests with this header, by the name as clients write it, in any case.'),
    cookie: named('cookie').optional().describe('Requests with this cookie.'),
    organizations: z
      .array(z.string().min(1).max(100))
      .min(1)
      .max(MOST)
      .optional()
      .describe('Identifiers of organizations whose callers are meant.'),
  })
  .superRefine(({ header, cookie, organizations }, context) => {
    const said = [header, cookie, organizations].filter((one) => one !== undefined);
    if (said.length !== 1) context.addIssue('needs exactly one of header, cookie and organizations');
    const name = header?.name ?? '';
    if (RESERVED.has(plainName(name)) || isIdentityHeader(plainName(name))) {
      const message = `"${name}" is the gateway's own: what a client writes there says nothing`;
      context.addIssue({ code: 'custom', path: ['header', 'name'], message });
    }
  });

export type Rule = z.infer<typeof ruleSchema>;

/** Whether a request is meant. */
type Fits = (req: GatewayRequest) => boolean;

/** A rule compiled once. */
export function fitsOf({ header, cookie, organizations }: Rule): Fits {
  if (header !== undefined) {
    const name = header.name.toLowerCase();
    const wanted = new Set(header.values);
    return ({ headers }) => {
      const value = headers[name];
      return typeof value === 'string' && wanted.has(value);
    };
  }
  if (cookie !== undefined) {
    const wanted = new Set(cookie.values);
    return ({ headers, rawHeaders }) => {
      if (headers.cookie === undefined) return false;
      const found = readCookieNamed(rawHeaders, cookie.name);
      return typeof found !== 'string' && wanted.has(found.value);
    };
  }
  const wanted = new Set(organizations);
  return ({ context }) => wanted.has(context.principal?.caller.organizationId ?? '');
}

/** Whom a rule means, in a few words. */
export function meant({ header, cookie, organizations }: Rule): string {
  if (header !== undefined) return `${header.name}: ${header.values.join(' or ')}`;
  if (cookie !== undefined) return `the cookie ${cookie.name}=${cookie.values.join(' or ')}`;
  return organizations?.join(', ') ?? '';
}
