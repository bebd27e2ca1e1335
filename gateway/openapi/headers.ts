/** Describes response headers: those that every answer carries, and those that come with some. */
import type { Components } from './components.ts';
import type { Json } from './json.ts';

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
  'Retry-After': {
    required: true,
    schema: { type: 'integer', minimum: 1 },
    description: 'Seconds until a retry may succeed.',
  },
  'WWW-Authenticate': { required: true, schema: { const: 'Bearer' }, description: 'RFC 9110, 11.6.1.' },
};

/** Headers of every response. */
export const COMMON_HEADERS = [
  'X-Request-Id',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
] as const;

/** References to headers of a fixed meaning, by name. */
export function headerReferences(names: readonly string[], components: Components): Json {
  return Object.fromEntries(names.map((name) => [name, components.add('headers', name, HEADERS[name])]));
}

/** Headers that a route names itself; it always sends them. */
export function ownHeaders(named: Readonly<Record<string, string>>): Json {
  return Object.fromEntries(Object.entries(named).map(([name, description]) => [name, text(description)]));
}

/** The version of a resource, where it may come. */
export const ETAG_HEADER: Json = {
  schema: { type: 'string' },
  description: 'Version of the resource, for If-Match.',
};

/** Where the created resource, or the target of the redirect, is. */
export function locationHeader(status: number): Json {
  return text(status === 201 ? 'Path of what was created.' : 'Where to go.');
}
