/**
 * Makes the OpenAPI 3.1 document of the whole API from the routes as data: the schemas that validate are the ones
 * described.
 */
import type { RouteDescription } from '../../services/shared/http/route.ts';
import type { Configuration } from '../configuration/configuration.ts';
import { backendOperations } from './backend-operations.ts';
import { Components } from './components.ts';
import type { Json } from './json.ts';
import { type DescribedRoute, operation, schemaNames, versionedPaths } from './operation.ts';
import { servedBy, uncounted } from './served-by.ts';
import { type SchemaPlace, shareSchemas } from './share-schemas.ts';
import { tagsOf } from './tags.ts';

/** The parts of the document. */
export interface DocumentParts {
  /** Routes that the configuration may serve; others are left out. */
  readonly routes: readonly RouteDescription[];
  /** Routes that the gateway answers before any endpoint of the configuration. */
  readonly ownRoutes: readonly RouteDescription[];
  readonly configuration: Configuration;
  /** Of the package. */
  readonly version: string;
  /** The name of the session cookie. */
  readonly sessionCookie: string;
}

export function openApiDocument(parts: DocumentParts): Json {
  const { routes, ownRoutes, configuration, version, sessionCookie } = parts;
  const components = new Components(configuration.scopes);
  const described = describedRoutes({ routes, ownRoutes, configuration }, components);
  const paths: Record<string, Json> = {};
  for (const one of described) {
    const path = one.route.path.replace(/:([A-Za-z]\w*)/g, '{$1}');
    paths[path] = { ...paths[path], [one.route.method.toLowerCase()]: operation(one, components) };
  }
  const ofBackends = backendOperations(configuration, components);
  for (const { path, method, operation } of ofBackends.operations)
    paths[path] = { [method]: operation, ...paths[path] };
  return {
    openapi: '3.1.0',
    info: {
      title: 'Tidegate',
      version,
      description: DESCRIPTION,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/', description: 'The gateway that answered this document.' }],
    tags: [...tagsOf(described.map(({ route }) => route)), ...ofBackends.tags],
    'x-plans': configuration.plans.plans,
    'x-scopes': Object.fromEntries(
      configuration.scopes.listed.map(({ name, text, holders }) => [name, { description: text, holders }]),
    ),
    'x-roles': configuration.scopes.ofRole,
    paths,
    components: {
      securitySchemes: {
        ...securitySchemes(sessionCookie),
        ...(takesTokens(configuration) ? { token: TOKEN_SCHEME } : {}),
      },
      ...components.toJSON(),
    },
  };
}

/** Every route with its schemas, shared among all of them. */
function describedRoutes(
  { routes, ownRoutes, configuration }: Pick<DocumentParts, 'routes' | 'ownRoutes' | 'configuration'>,
  components: Components,
): DescribedRoute[] {
  const all = [
    ...routes.flatMap((route) => {
      const serving = servedBy(configuration, route);
      return serving ? [{ route, serving }] : [];
    }),
    ...ownRoutes.map((route) => ({ route, serving: uncounted(configuration) })),
  ];
  const places: SchemaPlace[] = [];
  const placed = all.map((one) => {
    const { body, success } = one.route;
    const names = schemaNames(one.route);
    const hasAnswer = success.status !== 204 && success.status < 300;
    const place = (name: string, schema: Json, times = 1): number => places.push({ name, schema, times }) - 1;
    const mediaTypes = 1 + (body?.alsoAccepts?.length ?? 0);
    return {
      ...one,
      request: body ? place(names.request, components.schemaOf(body.schema, 'input'), mediaTypes) : -1,
      answer: hasAnswer ? place(names.answer, components.schemaOf(success.schema, 'output')) : -1,
    };
  });
  const schemas = shareSchemas(places, components);
  const versioned = versionedPaths(routes);
  return placed.map(({ route, serving, request, answer }) => ({
    route,
    serving,
    requestSchema: schemas[request] ?? null,
    answerSchema: schemas[answer] ?? null,
    isVersioned: versioned.has(`${route.method} ${route.path}`),
  }));
}

const DESCRIPTION = `Query website data, send events and manage what they belong to, behind one gateway.

Every path that answers GET answers HEAD too, and OPTIONS as a CORS preflight. Another method is 405 METHOD_NOT_ALLOWED with \`Allow\`, an unknown path 404 NOT_FOUND. Every answer carries the headers \`X-Request-Id\` and \`X-RateLimit-*\`; the HTTP/1.1 reason phrase of an error is its code.

\`x-scopes\` and \`x-roles\` of an operation say who may ask (\`x-scopes-under\`: which scopes also suffice when that selector applies), \`x-rate-limits\` how often. The document's own \`x-scopes\` and \`x-roles\` list the scopes with what each opens, and what the roles hold. \`plan\` stands for both windows of the organization's plan (\`x-plans\`, requests per 10 seconds and per minute, and by day and month in UTC where it has such quotas), \`callers\` for whom a limit counts (\`known\`: a valid credential, \`anonymous\`: none, \`refused\`: a wrong one). An organization may have numbers of its own.`;

const TOKEN_SCHEME: Json = {
  ...{ type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
  description: 'A token of the identity provider that the operation names.',
};

/** Whether some pipeline knows its callers by tokens of an identity provider. */
function takesTokens({ pipelines }: Configuration): boolean {
  return pipelines.some(({ steps }) => steps.some(({ policy }) => policy === 'jwt'));
}

const securitySchemes = (sessionCookie: string): Json => ({
  apiKeyHeader: { type: 'apiKey', in: 'header', name: 'x-api-key', description: 'An API key.' },
  bearer: { type: 'http', scheme: 'bearer', description: 'The same API key.' },
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: sessionCookie,
    description:
      "The cookie that POST /v1/auth/login sets; 15 minutes, renewed by POST /v1/auth/refresh. It counts only for requests of pages of the service's own domains, by Origin, Sec-Fetch-Site or Referer, and beside no API key.",
  },
});
