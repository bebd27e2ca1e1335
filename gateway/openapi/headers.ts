/** Describes response headers: those of every answer, and those of some. */
import { isEnforced } from '../configuration/endpoint-limits.ts';
import type { Components } from './components.ts';
import type { Json } from './json.ts';
import type { Serving } from './served-by.ts';

const whole = (description: string): Json => ({
  required: true,
  schema: { type: 'integer', minimum: 0 },
  description,
});
const text = (description: string): Json => ({ required: true, schema: { type: 'string' }, description });

/** Headers with a fixed meaning (spec.md, Limits; contract.md sections 1 and 2). */
const HEADERS: Readonly<Record<string, Json>> = {
  'X-Request-Id': {
    required: true,
    schema: { type: 'string', pattern: '^[A-Za-z0-9._-]{1,128}$' },
    description: 'Names the request; a well-formed one is kept.',
  },
  'X-RateLimit-Limit': whole('Maximum requests allowed in the window.'),
  'X-RateLimit-Remaining': whole('Requests remaining in the current window.'),
  'X-RateLimit-Reset': whole('Unix timestamp (seconds) when the limit resets.'),
  'X-RateLimit-Shadow': {
    schema: { type: 'string' },
    description: 'Limits in shadow that would have refused the request, as a list (RFC 9651).',
  },
  'RateLimit-Policy': {
    schema: { type: 'string' },
    description: 'The limits that counted the request (draft-ietf-httpapi-ratelimit-headers).',
  },
  RateLimit: {
    schema: { type: 'string' },
    description: 'What is left of each of them, and for how many seconds.',
  },
  'Retry-After': {
    required: true,
    schema: { type: 'integer', minimum: 1 },
    description: 'Seconds until a retry may succeed.',
  },
  'X-Content-Type-Options': { schema: { const: 'nosniff' }, description: 'With JSON, scripts and pictures.' },
  'WWW-Authenticate': { required: true, schema: { const: 'Bearer' }, description: 'RFC 9110, 11.6.1.' },
};

/** Headers of every response; the last is for types that a browser must not guess. */
export const COMMON_HEADERS = [
  'X-Request-Id',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'X-Content-Type-Options',
] as const;

/** Headers of every answer to a credential. */
export const PRIVATE_HEADERS: Readonly<Record<string, string>> = {
  'Cache-Control': '`private, no-store`: no cache keeps it.',
  Vary: 'The headers of credentials and `Origin`.',
};

/** Headers of every response to an operation; those after the common ones only where its limits and plans.yml bring them. */
export function headerNames({ limits, plans }: Serving): readonly string[] {
  if (limits === null) return COMMON_HEADERS;
  const all = [...(limits.known ?? []), ...limits.nobody];
  return [
    ...COMMON_HEADERS,
    ...(all.every(isEnforced) ? [] : ['X-RateLimit-Shadow']),
    ...(plans.standardFields ? ['RateLimit-Policy', 'RateLimit'] : []),
  ];
}

/** References to headers with a fixed meaning, by name. */
export function headerReferences(names: readonly string[], components: Components): Json {
  return Object.fromEntries(names.map((name) => [name, components.add('headers', name, HEADERS[name])]));
}

/** Headers that a route names itself; it always sends them. */
export function ownHeaders(named: Readonly<Record<string, string>>): Json {
  return Object.fromEntries(Object.entries(named).map(([name, description]) => [name, text(description)]));
}

/** Headers that a route sends on some of its answers. */
export function optionalHeaders(named: Readonly<Record<string, string>>): Json {
  const headers = Object.entries(named).map(([name, description]) => [
    name,
    { schema: { type: 'string' }, description },
  ]);
  return Object.fromEntries(headers);
}

/** The version of a resource, where an answer may carry it. */
export const ETAG_HEADER: Json = {
  schema: { type: 'string' },
  description: 'Version of the resource, for If-Match.',
};

/** The path of the created resource, or the target of the redirect. */
export function locationHeader(status: number): Json {
  return text(status === 201 ? 'Path of what was created.' : 'Where to go.');
}
