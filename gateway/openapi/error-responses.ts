/** Describes the errors of an operation: one response per status, the codes it may carry, and an example of each. */
import { ApiError, MAX_DETAILS } from '../../services/shared/errors/api-error.ts';
import { ERRORS, type ErrorKind } from '../../services/shared/errors/catalogue.ts';
import { errorBody } from '../../services/shared/errors/error-body.ts';
import type { RouteDescription } from '../../services/shared/http/route.ts';
import type { Components } from './components.ts';
import { headerNames, headerReferences } from './headers.ts';
import type { Json } from './json.ts';
import type { Serving } from './served-by.ts';

/** Errors that any request can meet. */
const ALWAYS: readonly ErrorKind[] = [
  'VALIDATION_ERROR',
  'REQUEST_TIMEOUT',
  'URI_TOO_LONG',
  'HEADERS_TOO_LARGE',
  'INTERNAL_ERROR',
];
/** A used-up limit, and a store of counters or credentials that does not answer. */
const COUNTED: readonly ErrorKind[] = ['RATE_LIMIT_EXCEEDED', 'SERVICE_UNAVAILABLE'];
const PROXIED: readonly ErrorKind[] = ['UPSTREAM_UNAVAILABLE', 'TIMEOUT'];
const SCOPED: readonly ErrorKind[] = ['AUTH_REQUIRED', 'INVALID_API_KEY', 'INSUFFICIENT_SCOPE'];
const TOKEN: readonly ErrorKind[] = ['AUTH_REQUIRED', 'INVALID_TOKEN', 'ACCESS_DENIED', 'INSUFFICIENT_SCOPE'];
const SESSION: readonly ErrorKind[] = ['AUTH_REQUIRED', 'INVALID_API_KEY', 'ACCESS_DENIED'];
const BODY: readonly ErrorKind[] = ['PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'];

/** Reported before the request has a route: these never carry a route's further fields. */
const BEFORE_ROUTING: readonly ErrorKind[] = ['URI_TOO_LONG', 'HEADERS_TOO_LARGE'];

/** What errors depend on. */
export type ErrorSource = Pick<RouteDescription, 'path' | 'body' | 'errors' | 'errorFields'> &
  Partial<Pick<RouteDescription, 'errorPages' | 'success'>>;

/** Every error that the operation can answer, except 405, which belongs to methods that the path does not have. */
export function errorKinds(route: ErrorSource, serving: Serving): ErrorKind[] {
  const { rule } = serving;
  const kinds = new Set<ErrorKind>([...ALWAYS, ...route.errors]);
  const add = (more: readonly ErrorKind[], condition: boolean): void => {
    if (condition) for (const kind of more) kinds.add(kind);
  };
  add(TOKEN, serving.tokensOf !== null);
  add(SCOPED, serving.tokensOf === null && rule !== 'public' && 'scopes' in rule);
  add(SESSION, rule !== 'public' && 'roles' in rule);
  add(BODY, route.body !== undefined || serving.judgesBody);
  // An encoded slash in a parameter makes the path unknown.
  add(['NOT_FOUND'], route.path.includes(':'));
  add(COUNTED, serving.limits !== null);
  add(PROXIED, serving.isProxied);
  const order = Object.keys(ERRORS);
  return [...kinds].sort((a, b) => order.indexOf(a) - order.indexOf(b));
}

/** Responses by status. */
export function errorResponses(route: ErrorSource, serving: Serving, components: Components): Json {
  const common = headerNames(serving);
  const byStatus = new Map<number, ErrorKind[]>();
  for (const kind of errorKinds(route, serving)) {
    const { status } = ERRORS[kind];
    byStatus.set(status, [...(byStatus.get(status) ?? []), kind]);
  }
  return Object.fromEntries(
    [...byStatus].map(([status, kinds]) => {
      const isRouted = !kinds.every((kind) => BEFORE_ROUTING.includes(kind));
      const fields = isRouted ? (route.errorFields ?? {}) : {};
      const page = kinds.some((kind) => route.errorPages?.includes(kind)) ? pageOf(route) : null;
      const name = [...kinds, ...Object.keys(fields), ...(page === null ? [] : ['page'])].join('-');
      const response = errorResponse(kinds, fields, common, components);
      const content = { ...(response.content as Json), ...page };
      return [status, components.add('responses', name, { ...response, content })];
    }),
  );
}

/** What people see in place of the JSON. */
function pageOf({ success }: ErrorSource): Json {
  const media = success?.mediaType?.replace(/;.*$/, '') ?? 'text/html';
  return { [media]: { schema: { type: 'string' } } };
}

/** Headers that errors carry besides the common ones, by status. */
const FURTHER_HEADERS: Readonly<Record<number, readonly string[]>> = {
  [ERRORS.AUTH_REQUIRED.status]: ['WWW-Authenticate'],
  [ERRORS.RATE_LIMIT_EXCEEDED.status]: ['Retry-After'],
  [ERRORS.SERVICE_UNAVAILABLE.status]: ['Retry-After'],
};

function errorResponse(
  kinds: readonly ErrorKind[],
  fields: Readonly<Record<string, unknown>>,
  common: readonly string[],
  components: Components,
): Json {
  const status = ERRORS[kinds[0] ?? 'INTERNAL_ERROR'].status;
  const codes = [...new Set(kinds.map((kind) => ERRORS[kind].code))];
  const base = kinds.includes('RATE_LIMIT_EXCEEDED')
    ? components.add('schemas', 'RateLimitError', rateLimitErrorSchema(components))
    : components.add('schemas', 'Error', ERROR_SCHEMA);
  const constants = Object.entries(fields).map(([name, value]) => [name, { const: value }] as const);
  const own: Json = {
    type: 'object',
    required: constants.map(([name]) => name),
    properties: { code: { enum: codes }, ...Object.fromEntries(constants) },
  };
  const examples = kinds.map((kind) => {
    const name = [kind, ...Object.keys(fields)].join('-');
    return [
      kind,
      components.add('examples', name, { summary: ERRORS[kind].when, value: exampleOf(kind, fields) }),
    ];
  });
  return {
    description: kinds.map((kind) => `${ERRORS[kind].code}: ${ERRORS[kind].when}`).join('\n\n'),
    headers: headerReferences([...common, ...(FURTHER_HEADERS[status] ?? [])], components),
    content: {
      'application/json': { schema: { allOf: [base, own] }, examples: Object.fromEntries(examples) },
    },
  };
}

/** An error body as sent. */
function exampleOf(kind: ErrorKind, fields: Readonly<Record<string, unknown>>): unknown {
  const details =
    kind === 'VALIDATION_ERROR' ? [{ field: 'name', message: 'A text of 1 to 100 characters.' }] : [];
  const limited =
    kind === 'RATE_LIMIT_EXCEEDED'
      ? { limit: 50, remaining: 0, reset: '2026-01-15T09:30:10.000Z', retryAfter: 7 }
      : {};
  const error = new ApiError(kind, { details, fields: limited });
  return { ...errorBody(error, '01k3w6v1q8z5m7r2c4x9t0b6hb'), ...fields };
}

const TEXT: Json = { type: 'string' };

const ERROR_SCHEMA: Json = {
  type: 'object',
  required: ['success', 'error', 'code', 'message', 'requestId', 'details'],
  properties: {
    success: { const: false },
    error: { type: 'string', description: 'What went wrong, for a person.' },
    code: { type: 'string', enum: [...new Set(Object.values(ERRORS).map((entry) => entry.code))] },
    message: { type: 'string', description: 'The same text as error.' },
    requestId: { type: 'string', description: 'Finds the request in the log.' },
    details: {
      type: 'array',
      description: `Every fault; of more than ${MAX_DETAILS} the first ${MAX_DETAILS}, and how many more.`,
      maxItems: MAX_DETAILS + 1,
      items: {
        type: 'object',
        required: ['field', 'message'],
        properties: { field: TEXT, message: TEXT, suggestion: TEXT },
      },
    },
  },
};

function rateLimitErrorSchema(components: Components): Json {
  return {
    allOf: [
      components.add('schemas', 'Error', ERROR_SCHEMA),
      {
        type: 'object',
        required: ['limit', 'remaining', 'reset', 'retryAfter'],
        properties: {
          limit: { type: 'integer', description: 'The applicable limit.' },
          remaining: { const: 0 },
          reset: { type: 'string', format: 'date-time', description: 'When the limit resets.' },
          retryAfter: { type: 'integer', minimum: 1, description: 'Seconds until a retry is allowed.' },
        },
      },
    ],
  };
}
