/** Describes the inputs of a route besides its body: path, query string and headers. */
import type { RouteDescription } from '../../services/shared/http/route.ts';
import type { Components } from './components.ts';
import type { Json } from './json.ts';

const IF_MATCH: Json = {
  name: 'If-Match',
  in: 'header',
  required: false,
  schema: { type: 'string' },
  example: '"3"',
  description: 'Only if the resource still is of one of these versions (`ETag`); else 412. `*`: of any.',
};

export function parametersOf(route: RouteDescription, components: Components): Json[] {
  return [
    ...pathParameters(route),
    ...queryParameters(route, components),
    ...headerParameters(route, components),
  ];
}

/** Whether the route checks the version that it changes. */
export function honoursIfMatch(route: RouteDescription): boolean {
  return route.errors.includes('PRECONDITION_FAILED');
}

/** Whether it can answer a client with a current copy that nothing changed. */
export function answersNotModified({ requestHeaders = {} }: RouteDescription): boolean {
  return Object.keys(requestHeaders).some((name) => name.toLowerCase() === 'if-none-match');
}

function pathParameters({ path, pathParameters: named = {} }: RouteDescription): Json[] {
  return [...path.matchAll(/:([A-Za-z]\w*)/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string', minLength: 1 },
    description: named[name] ?? 'Identifier.',
  }));
}

/** Each field of the query string's schema as a parameter. */
function queryParameters({ query }: RouteDescription, components: Components): Json[] {
  if (!query) return [];
  const { properties = {}, required = [] } = components.schemaOf(query, 'input') as {
    properties?: Record<string, Json>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, { description, ...schema }]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    schema,
    ...(description ? { description } : {}),
  }));
}

function headerParameters(route: RouteDescription, components: Components): Json[] {
  const named = Object.entries(route.requestHeaders ?? {}).map(([name, description]) => {
    return { name, in: 'header', required: false, schema: { type: 'string' }, description };
  });
  const isNamed = named.some(({ name }) => name.toLowerCase() === 'if-match');
  return isNamed || !honoursIfMatch(route)
    ? named
    : [...named, components.add('parameters', 'IfMatch', IF_MATCH)];
}
