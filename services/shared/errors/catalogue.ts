/** The one place where an error code meets its HTTP status; bodies, docs/errors.md and OpenAPI derive from it. */

/** One row of the catalogue. */
export interface ErrorEntry {
  /** The code on the wire (spec.md, Errors; contract.md, section 2). */
  readonly code: string;
  /** HTTP status. */
  readonly status: number;
  /** Public text when the thrower gives none. */
  readonly text: string;
  /** When a client meets it, for docs/errors.md and OpenAPI. */
  readonly when: string;
}

/**
 * Every error that Tidegate answers, by kind. A kind is its code, except where one code stands for two: `SERVICE_UNAVAILABLE`
 * is the 503 of `UPSTREAM_UNAVAILABLE`, and `INVALID_TOKEN` an `AUTH_REQUIRED` that counts as a wrong credential.
 */
export const ERRORS = {
  AUTH_REQUIRED: {
    code: 'AUTH_REQUIRED',
    status: 401,
    text: 'Authentication is required: send an API key in x-api-key or Authorization: Bearer, or log in with POST /v1/auth/login and send the session cookie.',
    when: 'Neither an API key nor a session; a cookie from a foreign origin; a wrong email or password; a missing or spent refresh token.',
  },
  INVALID_API_KEY: {
    code: 'INVALID_API_KEY',
    status: 401,
    text: 'The API key is invalid, expired or revoked.',
    when: 'The key is unknown, malformed, expired, revoked or disabled; two different keys; a repeated key header.',
  },
  INVALID_TOKEN: {
    code: 'AUTH_REQUIRED',
    status: 401,
    text: 'The token is malformed, expired, or not made for this: send one of the identity provider in Authorization: Bearer, and no API key.',
    when: 'Where tokens of an identity provider count (the policy `jwt`): one that is malformed, expired or not made for this, or an API key beside it.',
  },
  INSUFFICIENT_SCOPE: {
    code: 'INSUFFICIENT_SCOPE',
    status: 403,
    text: 'The caller lacks the required scope.',
    when: 'The caller lacks the scope that the route needs; the text names it.',
  },
  ACCESS_DENIED: {
    code: 'ACCESS_DENIED',
    status: 403,
    text: 'This resource is not accessible with these credentials.',
    when: 'A website or selector that the caller may not reach, existing or not; what belongs to the whole organization, asked with a website-specific key; a session-only route asked with a key or too low a role; a login, or an event without a key, from a page of another site; an address that the configuration does not admit.',
  },
  NOT_FOUND: {
    code: 'NOT_FOUND',
    status: 404,
    text: 'Nothing is here; GET /openapi.json lists every path.',
    when: 'Unknown path, or an unknown resource.',
  },
  VALIDATION_ERROR: {
    code: 'VALIDATION_ERROR',
    status: 400,
    text: 'The request is malformed.',
    when: 'Malformed body, parameter, JSON or HTTP; details lists every fault.',
  },
  INVALID_QUERY_TYPE: {
    code: 'INVALID_QUERY_TYPE',
    status: 400,
    text: 'No dataset of this name exists.',
    when: 'No dataset name of the whole call is known; details suggest the nearest.',
  },
  INVALID_DATE_RANGE: {
    code: 'INVALID_DATE_RANGE',
    status: 400,
    text: 'The date range is impossible.',
    when: 'The start lies after the end, or a date does not exist.',
  },
  MISSING_WEBSITE_ID: {
    code: 'MISSING_WEBSITE_ID',
    status: 400,
    text: 'Name the website with website_id.',
    when: 'A custom query without website_id, unless the caller reaches exactly one website.',
  },
  MISSING_PROJECT_ID: {
    code: 'MISSING_PROJECT_ID',
    status: 400,
    text: 'Name what to query with website_id.',
    when: 'A query without selector by a website-specific key that has not exactly one website.',
  },
  COMPILATION_ERROR: {
    code: 'COMPILATION_ERROR',
    status: 400,
    text: 'The query cannot be compiled.',
    when: 'A compile request that cannot be built; the text names the clause.',
  },
  QUERY_ERROR: {
    code: 'QUERY_ERROR',
    status: 400,
    text: 'The query cannot be run.',
    when: 'A custom query that cannot be built or run; the text names the clause.',
  },
  METHOD_NOT_ALLOWED: {
    code: 'METHOD_NOT_ALLOWED',
    status: 405,
    text: 'This path does not answer this method.',
    when: 'The path exists, the method does not; Allow lists those that do.',
  },
  REQUEST_TIMEOUT: {
    code: 'REQUEST_TIMEOUT',
    status: 408,
    text: 'The request did not arrive in time.',
    when: 'Headers or body took too long to arrive.',
  },
  CONFLICT: {
    code: 'CONFLICT',
    status: 409,
    text: 'This conflicts with what already exists.',
    when: 'A unique value is taken, a bound on what an organization may have is reached, or others still need what is to go.',
  },
  GONE: { code: 'GONE', status: 410, text: 'This has expired.', when: 'An expired short link.' },
  PRECONDITION_FAILED: {
    code: 'PRECONDITION_FAILED',
    status: 412,
    text: 'The resource changed since it was read.',
    when: 'If-Match does not name the current version, or X-Organization-Id not the organization of the session.',
  },
  PAYLOAD_TOO_LARGE: {
    code: 'PAYLOAD_TOO_LARGE',
    status: 413,
    text: 'The request body is too large.',
    when: 'The body exceeds the limit of the route.',
  },
  URI_TOO_LONG: {
    code: 'URI_TOO_LONG',
    status: 414,
    text: 'The request target is longer than 8192 bytes.',
    when: 'Path and query string exceed 8,192 bytes.',
  },
  UNSUPPORTED_MEDIA_TYPE: {
    code: 'UNSUPPORTED_MEDIA_TYPE',
    status: 415,
    text: 'Send the body as application/json.',
    when: 'The body is of a type, charset or encoding that the route does not read.',
  },
  RATE_LIMIT_EXCEEDED: {
    code: 'RATE_LIMIT_EXCEEDED',
    status: 429,
    text: 'The rate limit was exceeded.',
    when: 'A window of the plan, of the address, of the account or of the endpoint is used up, what a website takes without a key on a day, or too many requests of the caller are under way.',
  },
  HEADERS_TOO_LARGE: {
    code: 'HEADERS_TOO_LARGE',
    status: 431,
    text: 'The request headers are too large.',
    when: 'The header section exceeds 16 KB.',
  },
  INTERNAL_ERROR: {
    code: 'INTERNAL_ERROR',
    status: 500,
    text: 'Something failed on our side; the request id finds it in the log.',
    when: 'A fault of the service itself.',
  },
  UPSTREAM_UNAVAILABLE: {
    code: 'UPSTREAM_UNAVAILABLE',
    status: 502,
    text: 'The service behind this route is not reachable.',
    when: 'A service refused or broke the connection.',
  },
  SERVICE_UNAVAILABLE: {
    code: 'UPSTREAM_UNAVAILABLE',
    status: 503,
    text: 'The service is temporarily unavailable.',
    when: 'A store is down, or the service is draining or shedding load; see Retry-After.',
  },
  TIMEOUT: {
    code: 'TIMEOUT',
    status: 504,
    text: 'The service behind this route did not answer in time.',
    when: 'A service exceeded the time limit of the route, or a custom query its own.',
  },
} as const satisfies Record<string, ErrorEntry>;

/** A row of {@link ERRORS}. */
export type ErrorKind = keyof typeof ERRORS;
