/** Describes one route as an OpenAPI operation. */

import type { RouteDescription, RouteRule } from '../../services/shared/http/route.ts';
import { sessionOf } from '../configuration/session-rule.ts';
import type { Components } from './components.ts';
import { limitsData, limitsText } from './describe-limits.ts';
import { errorResponses } from './error-responses.ts';
import {
  ETAG_HEADER,
  headerNames,
  headerReferences,
  locationHeader,
  optionalHeaders,
  ownHeaders,
  PRIVATE_HEADERS,
} from './headers.ts';
import type { Json } from './json.ts';
import { answersNotModified, honoursIfMatch, parametersOf } from './parameters.ts';
import type { Serving } from './served-by.ts';
import { pascal } from './share-schemas.ts';

/** A route on its way into the document, with its schemas already made. */
export interface DescribedRoute {
  readonly route: RouteDescription;
  readonly serving: Serving;
  /** Schema of the body; null without one. */
  readonly requestSchema: Json | null;
  /** Schema of the answer; null without a body. */
  readonly answerSchema: Json | null;
  /** Whether some route of the same resource honours If-Match, so that the answer carries its version. */
  readonly isVersioned: boolean;
}

/** Names of a route's schemas, for sharing them. */
export function schemaNames({ operationId }: RouteDescription): { request: string; answer: string } {
  const name = pascal(operationId);
  return { request: `${name}Request`, answer: `${name}Answer` };
}

export function operation(described: DescribedRoute, components: Components): Json {
  const { route, serving, requestSchema } = described;
  const { body } = route;
  const parameters = parametersOf(route, components);
  return {
    operationId: route.operationId,
    summary: route.summary,
    description: describedRule(route.description, serving),
    tags: route.tags,
    ...ruleData(serving),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(body && requestSchema ? { requestBody: requestBody(body, requestSchema, serving) } : {}),
    responses: {
      ...successResponses(described, components),
      ...errorResponses(route, serving, components),
    },
  };
}

/** A description, with who may ask, and how often. */
export function describedRule(description: string | undefined, serving: Serving): string {
  const own = description === undefined ? [] : [description];
  return [...own, ruleText(serving.rule, serving), limitsText(serving)].join('\n\n');
}

/** The same as data. */
export function ruleData(serving: Serving): Json {
  const { rule } = serving;
  return {
    security: securityOf(serving),
    ...(rule !== 'public' && 'scopes' in rule ? { 'x-scopes': rule.scopes } : {}),
    ...(serving.scopesUnder === null ? {} : { 'x-scopes-under': serving.scopesUnder }),
    ...(rule !== 'public' && 'roles' in rule ? { 'x-roles': rule.roles } : {}),
    ...(rule !== 'public' && 'roles' in rule && rule.operators ? { 'x-operators': true } : {}),
    'x-rate-limits': limitsData(serving),
  };
}

function successResponses(described: DescribedRoute, components: Components): Json {
  const { route, serving, answerSchema, isVersioned } = described;
  const {
    status,
    headers = {},
    optionalHeaders: sometimes = {},
    mediaType,
    alsoAs = {},
    example,
  } = route.success;
  const isRedirect = status >= 300 && status < 400;
  const common = headerReferences(headerNames(serving), components);
  const named = {
    ...common,
    ...(status === 201 || isRedirect ? { Location: locationHeader(status) } : {}),
    ...(isVersioned && answerSchema !== null ? { ETag: ETAG_HEADER } : {}),
    ...(serving.rule === 'public' ? {} : ownHeaders(PRIVATE_HEADERS)),
    ...ownHeaders(headers),
    ...optionalHeaders(sometimes),
  };
  const media = mediaType?.replace(/;.*$/, '') ?? 'application/json';
  const shown = mediaType === undefined ? { example } : {};
  const otherMedia = Object.entries(alsoAs).map(([type, description]) => [
    type,
    { schema: { type: 'string', description } },
  ]);
  const page = { description: 'A page in place of the redirect.', headers: common };
  return {
    ...(isRedirect && mediaType !== undefined
      ? { 200: { ...page, content: { [media]: { schema: { type: 'string' } } } } }
      : {}),
    [status]: {
      description: isRedirect ? 'Redirect.' : 'Success.',
      headers: named,
      ...(answerSchema === null
        ? {}
        : { content: { [media]: { schema: answerSchema, ...shown }, ...Object.fromEntries(otherMedia) } }),
    },
    ...(answersNotModified(route)
      ? { 304: { description: 'What If-None-Match names is current.', headers: named } }
      : {}),
  };
}

function ruleText(rule: RouteRule, serving: Serving): string {
  if (rule === 'public') return 'No credential is needed.';
  if ('roles' in rule)
    return rule.operators === true
      ? `Needs a ${sessionOf(rule)}.`
      : `Needs a session of role ${rule.roles.join(' or ')}.`;
  const scopes = `Scope: ${[rule.scopes.join(', '), ...scopesUnder(serving)].join('; or ')}.`;
  if (serving.tokensOf !== null) return `${scopes} With a token of ${serving.tokensOf}.`;
  return rule.keyless === true
    ? `${scopes} Without a key, for the website that the query string or the header databuddy-client-id names. Cookies are not read.`
    : scopes;
}

/** `read:links under link_id`, for each such selector. */
function scopesUnder(serving: Serving): string[] {
  return Object.entries(serving.scopesUnder ?? {}).map(
    ([selector, scopes]) => `${scopes.join(', ')} under ${selector}`,
  );
}

function securityOf({ rule, tokensOf }: Serving): Json[] {
  if (tokensOf !== null) return [{ token: [] }];
  if (rule === 'public') return [{}];
  if ('roles' in rule) return [{ session: [] }];
  return [{ apiKeyHeader: [] }, { bearer: [] }, rule.keyless === true ? {} : { session: [] }];
}

function requestBody(body: NonNullable<RouteDescription['body']>, schema: Json, { maxBytes }: Serving): Json {
  const types = ['application/json', ...(body.alsoAccepts ?? [])];
  return {
    required: body.whenAbsent === undefined,
    description: `At most ${Math.min(body.maxBytes, maxBytes ?? body.maxBytes)} bytes.`,
    content: Object.fromEntries(types.map((type) => [type, { schema, example: body.example }])),
  };
}

/**
 * Routes whose answer may carry the version of a resource: those that honour If-Match, those that create and read what
 * they change, and any that reads one thing by its identifier.
 */
export function versionedPaths(routes: readonly RouteDescription[]): ReadonlySet<string> {
  const found = new Set<string>();
  for (const route of routes) {
    const { method, path } = route;
    if (method === 'GET' && path.endsWith('/:id')) found.add(`GET ${path}`);
    if (!honoursIfMatch(route)) continue;
    found.add(`GET ${path}`);
    found.add(`${method} ${path}`);
    const list = /^(.+)\/:\w+$/.exec(path)?.[1];
    if (list !== undefined) found.add(`POST ${list}`);
  }
  return found;
}
