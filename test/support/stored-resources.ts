/** What every test of routes asks of a stored thing, made from its routes' own description, so that a new one needs no line in them. */
import { API_ROUTES } from '../../gateway/process/compose/api-description.ts';
import type { RouteDescription } from '../../services/shared/http/route.ts';
import type { AuditedWrite } from './audited-writes.ts';
import type { Target } from './protected-routes.ts';

/** The routes of one thing: all of them, and one. */
interface StoredResource {
  readonly path: string;
  readonly list: RouteDescription;
  readonly create: RouteDescription;
  readonly read: RouteDescription;
  readonly change: RouteDescription;
  readonly remove: RouteDescription;
}

const at = (method: string, path: string) =>
  API_ROUTES.find((route) => route.method === method && route.path === path);

/** Every thing with the five routes of `defineResource`. */
const RESOURCES: readonly StoredResource[] = API_ROUTES.flatMap((list): StoredResource[] => {
  const { path } = list;
  const create = at('POST', path);
  const [read, change, remove] = ['GET', 'PATCH', 'DELETE'].map((method) => at(method, `${path}/:id`));
  if (list.method !== 'GET' || !create || !read || !change || !remove) return [];
  return [{ path, list, create, read, change, remove }];
});

const byRoute = <T>(valuesOf: (resource: StoredResource) => Readonly<Record<string, T>>) =>
  Object.assign({}, ...RESOURCES.map(valuesOf)) as Readonly<Record<string, T>>;

/** Whether a new one must name its website. */
function isOfWebsites({ body }: RouteDescription): boolean {
  return Object.hasOwn(Object(body?.example), 'websiteId');
}

/** Calls of them, and what a caller gets whom the rule lets in: by method and path. */
export const RESOURCE_TARGETS = byRoute<Target>(({ path, create, change }) => {
  const none = `${path}/none_1`;
  // What belongs to a website is open to the keys of that website.
  const denied = isOfWebsites(create) ? {} : ({ websiteKey: [403, 'ACCESS_DENIED'] } as const);
  const elsewhere = isOfWebsites(create) ? { elsewhere: { path: `${path}?website_id=web_blog` } } : {};
  const notFound = { passed: [404, 'NOT_FOUND'], ...denied } as const;
  return {
    [`GET ${path}`]: { path, passed: [200], ...denied, ...elsewhere },
    [`POST ${path}`]: { path, body: {}, passed: [400, 'VALIDATION_ERROR'], ...denied },
    [`GET ${path}/:id`]: { path: none, ...notFound },
    [`PATCH ${path}/:id`]: { path: none, body: change.body?.example, ...notFound },
    [`DELETE ${path}/:id`]: { path: none, ...notFound },
  };
});

/** Their writes with the bodies of their own examples. */
export const RESOURCE_WRITES = byRoute<AuditedWrite>(({ path, create, change }) => {
  const place = isOfWebsites(create) ? { websiteId: 'web_shop' } : {};
  const made = { path, body: { ...Object(create.body?.example), ...place } };
  return {
    [`POST ${path}`]: made,
    [`PATCH ${path}/:id`]: { path: `${path}/:id`, body: change.body?.example, of: made },
    [`DELETE ${path}/:id`]: { path: `${path}/:id`, of: made },
  };
});

/** The file of test/routes, without `.test.ts`, that has to call them: `<last part of the path>.contract`. */
export const RESOURCE_TESTS = byRoute<string>(({ path, ...routes }) =>
  Object.fromEntries(
    Object.values(routes).map((route) => [
      `${route.method} ${route.path}`,
      `${path.split('/').at(-1)}.contract`,
    ]),
  ),
);
