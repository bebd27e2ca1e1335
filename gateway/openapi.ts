/** Makes the OpenAPI 3.1 document of the whole API from the routes as data: what validates is what is described. */
import { z } from 'zod';
import type { ScopeRule } from '../services/shared/access/scope-rule.ts';
import { MAX_DETAILS } from '../services/shared/errors/api-error.ts';
import { ERRORS, type ErrorKind } from '../services/shared/errors/catalogue.ts';
import type { RouteDescription, RouteRule } from '../services/shared/http/route.ts';

type Json = Record<string, unknown>;
const TEXT: Json = { type: 'string' };

/** A path that the gateway answers itself. */
interface OwnPath {
  readonly path: string;
  readonly operationId: string;
  readonly summary: string;
  readonly errors: readonly ErrorKind[];
  /** Whether it can be refused by a rate limit. */
  readonly counted: boolean;
}

const OWN_PATHS: readonly OwnPath[] = [
  { path: '/health', operationId: 'getHealth', summary: 'Is the gateway alive?', errors: [], counted: false },
  {
    path: '/health/ready',
    operationId: 'getReadiness',
    summary: 'Do its stores and services answer?',
    errors: ['SERVICE_UNAVAILABLE'],
    counted: false,
  },
  {
    path: '/.well-known/jwks.json',
    operationId: 'getIdentityKeys',
    summary: 'Public keys by which services verify the identity that the gateway signs.',
    errors: [],
    counted: true,
  },
  { path: '/openapi.json', operationId: 'getOpenApi', summary: 'This document.', errors: [], counted: true },
];

/** Errors that any counted route can give, whatever it does. */
const COMMON_ERRORS: readonly ErrorKind[] = [
  'VALIDATION_ERROR',
  'METHOD_NOT_ALLOWED',
  'RATE_LIMIT_EXCEEDED',
  'INTERNAL_ERROR',
  'UPSTREAM_UNAVAILABLE',
  'SERVICE_UNAVAILABLE',
  'TIMEOUT',
];
const SCOPED_ERRORS: readonly ErrorKind[] = ['AUTH_REQUIRED', 'INVALID_API_KEY', 'INSUFFICIENT_SCOPE'];
const SESSION_ERRORS: readonly ErrorKind[] = ['AUTH_REQUIRED', 'INVALID_API_KEY', 'ACCESS_DENIED'];
const BODY_ERRORS: readonly ErrorKind[] = ['REQUEST_TIMEOUT', 'PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'];

/** The document, as JSON text. */
export function openApiText(routes: readonly RouteDescription[], version: string): string {
  return JSON.stringify(openApiDocument(routes, version), null, 1);
}

export function openApiDocument(routes: readonly RouteDescription[], version: string): Json {
  const paths: Record<string, Json> = {};
  for (const route of routes) {
    const path = route.path.replace(/:([A-Za-z]\w*)/g, '{$1}');
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation(route) };
  }
  for (const own of OWN_PATHS) paths[own.path] = { get: ownOperation(own) };
  return {
    openapi: '3.1.0',
    info: {
      title: 'Tidegate',
      version,
      description: 'Query website data, take in events and manage what they hang on, behind one gateway.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    paths,
    components: {
      securitySchemes: {
        apiKeyHeader: { type: 'apiKey', in: 'header', name: 'x-api-key' },
        bearer: { type: 'http', scheme: 'bearer' },
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: 'tg_access',
          description:
            "The cookie that POST /v1/auth/login sets; 15 minutes, renewed by POST /v1/auth/refresh. It counts only for requests of pages of the service's own domains, by Origin, Sec-Fetch-Site or Referer, and beside no API key.",
        },
      },
      schemas: { Error: ERROR_SCHEMA, RateLimitError: RATE_LIMIT_ERROR_SCHEMA },
      headers: HEADERS,
    },
  };
}

function operation(route: RouteDescription): Json {
  const { rule } = route;
  const kinds = new Set<ErrorKind>([...COMMON_ERRORS, ...route.errors]);
  if (rule !== 'public') for (const kind of 'roles' in rule ? SESSION_ERRORS : SCOPED_ERRORS) kinds.add(kind);
  if (route.body) for (const kind of BODY_ERRORS) kinds.add(kind);
  return {
    operationId: route.operationId,
    summary: route.summary,
    description: `${route.description}\n\n${ruleText(rule)}`,
    tags: route.tags,
    security: securityOf(rule),
    ...(rule !== 'public' && 'scopes' in rule ? { 'x-scopes': rule.scopes } : {}),
    parameters: [
      ...pathParameters(route.path),
      ...queryParameters(route.query),
      ...headerParameters(route.requestHeaders),
    ],
    ...(route.body ? { requestBody: requestBody(route.body) } : {}),
    responses: {
      [route.success.status]: {
        description: 'Success.',
        headers: HEADER_REFERENCES,
        ...(route.success.status === 204 ? {} : { content: successContent(route.success) }),
      },
      ...errorResponses(kinds),
    },
  };
}

function successContent({ schema, example, mediaType }: RouteDescription['success']): Json {
  const described = schemaOf(schema, 'output');
  return mediaType === undefined ? jsonContent(described, example) : { [mediaType]: { schema: described } };
}

function ruleText(rule: RouteRule): string {
  if (rule === 'public') return 'No credential is needed.';
  if ('roles' in rule) return `Needs a session of role ${rule.roles.join(' or ')}.`;
  const scopes = `Scope: ${[rule.scopes.join(', '), ...scopesUnder(rule)].join('; or ')}.`;
  return rule.keyless === true
    ? `${scopes} Without a key, for the website that the query string or the header databuddy-client-id names. Cookies are not read.`
    : scopes;
}

/** `read:links with link_id in the query string`, for each such parameter. */
function scopesUnder(rule: ScopeRule): string[] {
  return Object.entries(rule.scopesUnder ?? {}).map(
    ([name, scopes]) => `${scopes.join(', ')} with ${name} in the query string`,
  );
}

function securityOf(rule: RouteRule): Json[] {
  if (rule === 'public') return [{}];
  if ('roles' in rule) return [{ session: [] }];
  return [{ apiKeyHeader: [] }, { bearer: [] }, rule.keyless === true ? {} : { session: [] }];
}

function ownOperation(own: OwnPath): Json {
  const kinds: ErrorKind[] = [...own.errors, 'METHOD_NOT_ALLOWED'];
  if (own.counted) kinds.push('RATE_LIMIT_EXCEEDED', 'SERVICE_UNAVAILABLE');
  return {
    operationId: own.operationId,
    summary: own.summary,
    tags: ['gateway'],
    security: [{}],
    responses: {
      200: { description: 'Success.', headers: HEADER_REFERENCES, content: jsonContent({ type: 'object' }) },
      ...errorResponses(new Set(kinds)),
    },
  };
}

function pathParameters(path: string): Json[] {
  return [...path.matchAll(/:([A-Za-z]\w*)/g)].map(([, name]) => {
    return { name, in: 'path', required: true, schema: TEXT };
  });
}

/** Each field of the query string's schema as a parameter. */
function queryParameters(query: z.ZodType | undefined): Json[] {
  if (!query) return [];
  const { properties = {}, required = [] } = schemaOf(query, 'input') as {
    properties?: Record<string, Json>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    schema,
    ...(schema.description ? { description: schema.description } : {}),
  }));
}

function headerParameters(headers: RouteDescription['requestHeaders'] = {}): Json[] {
  return Object.entries(headers).map(([name, description]) => {
    return { name, in: 'header', required: false, schema: TEXT, description };
  });
}

function requestBody(body: NonNullable<RouteDescription['body']>): Json {
  const schema = schemaOf(body.schema, 'input');
  const types = ['application/json', ...(body.alsoAccepts ?? [])];
  return {
    required: body.whenAbsent === undefined,
    description: `At most ${body.maxBytes} bytes.`,
    content: Object.fromEntries(types.map((type) => [type, { schema, example: body.example }])),
  };
}

/** Responses by status; kinds that share a status share its description. */
function errorResponses(kinds: ReadonlySet<ErrorKind>): Json {
  const byStatus: Record<string, ErrorKind[]> = {};
  for (const kind of kinds) {
    const { status } = ERRORS[kind];
    byStatus[status] = [...(byStatus[status] ?? []), kind];
  }
  return Object.fromEntries(
    Object.entries(byStatus).map(([status, group]) => [
      status,
      {
        description: group.map((kind) => `${ERRORS[kind].code}: ${ERRORS[kind].when}`).join('\n\n'),
        headers: HEADER_REFERENCES,
        content: jsonContent({
          $ref: group.includes('RATE_LIMIT_EXCEEDED')
            ? '#/components/schemas/RateLimitError'
            : '#/components/schemas/Error',
        }),
      },
    ]),
  );
}

function jsonContent(schema: Json, example?: unknown): Json {
  return { 'application/json': { schema, ...(example === undefined ? {} : { example }) } };
}

/** The schema in JSON Schema 2020-12, which OpenAPI 3.1 speaks. */
function schemaOf(schema: z.ZodType, io: 'input' | 'output'): Json {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  return rest;
}

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
        properties: {
          field: { type: 'string' },
          message: { type: 'string' },
          suggestion: { type: 'string' },
        },
      },
    },
    status: { type: 'string', description: 'Ingest routes: "error".' },
  },
};

const RATE_LIMIT_ERROR_SCHEMA: Json = {
  allOf: [
    { $ref: '#/components/schemas/Error' },
    {
      type: 'object',
      required: ['limit', 'remaining', 'reset', 'retryAfter'],
      properties: {
        limit: { type: 'integer', description: 'The applicable limit.' },
        remaining: { const: 0 },
        reset: { type: 'string', format: 'date-time', description: 'When the limit resets.' },
        retryAfter: { type: 'integer', description: 'Seconds until a retry is allowed.' },
      },
    },
  ],
};

const HEADERS: Record<string, Json> = {
  'X-Request-Id': {
    schema: { type: 'string' },
    description: 'Names the request; a well-formed one is kept.',
  },
  'X-RateLimit-Limit': {
    schema: { type: 'integer' },
    description: 'Maximum requests allowed in the window.',
  },
  'X-RateLimit-Remaining': {
    schema: { type: 'integer' },
    description: 'Requests remaining in the current window.',
  },
  'X-RateLimit-Reset': {
    schema: { type: 'integer' },
    description: 'Unix timestamp (seconds) when the limit resets.',
  },
};

const HEADER_REFERENCES: Json = Object.fromEntries(
  Object.keys(HEADERS).map((name) => [name, { $ref: `#/components/headers/${name}` }]),
);
