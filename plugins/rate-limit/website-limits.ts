/** The public limit of an organization in place of the common one, for requests that name one of its websites or links. */
import { namedFlagsClient, namedWebsite } from '../../services/shared/access/named-website.ts';
import { pathOf, queryOf } from '../../services/shared/http/query-string.ts';
import { isSlug } from '../../services/shared/links/slug.ts';
import type { EndpointClass } from '../../services/shared/plans/endpoint.ts';
import type { GatewayRequest } from '../kit/request-context.ts';
import type { GatewayRuntime } from '../kit/runtime.ts';
import { createSlugOwners } from './slug-owners.ts';
import { createWebsiteIndex, type KnownWebsites, type WebsiteLimit } from './website-index.ts';

export type { WebsiteLimit };

/** The limit for a request; a promise only when the index is read, null where the common limit applies. */
export type WebsiteLimits = (req: GatewayRequest) => Found;

type Found = WebsiteLimit | null | Promise<WebsiteLimit | null>;
type FindWebsite = (req: GatewayRequest, known: KnownWebsites) => Found;

/**
 * Finds whom an uncredentialed request names, in the same way as the service that answers it, so that no second name
 * evades a limit. While the store does not answer, the last known state applies.
 */
export function createWebsiteLimits(runtime: GatewayRuntime): WebsiteLimits {
  if (runtime.plans.limits.public.override === undefined) return () => null;
  const index = createWebsiteIndex(runtime);
  const owners = createSlugOwners(runtime);
  runtime.onClose(() => {
    index.close();
    owners.close();
  });

  function linkWebsite(req: GatewayRequest, { organizations }: KnownWebsites): Found {
    if (organizations.size === 0) return null;
    const slug = slugOf(req);
    return slug === null ? null : owners.limitOf({ slug, address: req.context.address }, organizations);
  }

  const findByClass: Readonly<Partial<Record<EndpointClass, FindWebsite>>> = {
    ingest: ingestWebsite,
    flags: flagsWebsite,
    links: linkWebsite,
  };

  return function websiteLimit(req) {
    const { principal, endpoint } = req.context;
    const find = findByClass[endpoint.class];
    if (find === undefined || principal === null || principal.caller.kind !== 'public') return null;
    const known = index.known();
    return known instanceof Promise ? known.then((websites) => find(req, websites)) : find(req, known);
  };
}

function ingestWebsite(req: GatewayRequest, { websites }: KnownWebsites): WebsiteLimit | null {
  if (websites.size === 0) return null;
  const name = namedWebsite(queryOf(req.url), req.headers);
  return name === null ? null : (websites.get(name) ?? null);
}

function flagsWebsite(req: GatewayRequest, { websites, organizations }: KnownWebsites): WebsiteLimit | null {
  if (organizations.size === 0) return null;
  const name = namedFlagsClient(queryOf(req.url));
  return name === null ? null : (websites.get(name) ?? organizations.get(name) ?? null);
}

/** The only segment of the path, if it may be a slug. */
function slugOf({ url }: GatewayRequest): string | null {
  const slug = pathOf(url).slice(1);
  return isSlug(slug) ? slug : null;
}
