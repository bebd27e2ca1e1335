/** The public limit that an organization carries in place of the common one, for requests that name one of its websites or links. */
import { parse } from 'node:querystring';
import {
  namedFlagsClient,
  namedWebsite,
  type ParsedQuery,
} from '../../services/shared/access/named-website.ts';
import { isSlug } from '../../services/shared/links/slug.ts';
import type { EndpointClass } from '../../services/shared/plugin/endpoint.ts';
import type { GatewayRequest } from '../../services/shared/plugin/request-context.ts';
import type { GatewayRuntime } from '../../services/shared/plugin/runtime.ts';
import { createSiteIndex, type KnownSites, type SiteLimit } from './site-index.ts';
import { createSlugOwners } from './slug-owners.ts';

export type { SiteLimit };

/** The limit for a request; a promise only when the index is read, null where the common limit holds. */
export type SiteLimits = (req: GatewayRequest) => Found;

type Found = SiteLimit | null | Promise<SiteLimit | null>;
type FindSite = (req: GatewayRequest, known: KnownSites) => Found;

/**
 * Finds whom a request names: of requests without a credential, chosen as the service that answers chooses, so that no
 * second name evades a limit. While the store does not answer, what was last known holds.
 */
export function createSiteLimits(runtime: GatewayRuntime): SiteLimits {
  if (runtime.plans.limits.public.override === undefined) return () => null;
  const index = createSiteIndex(runtime);
  const owners = createSlugOwners(runtime);
  runtime.onClose(() => {
    index.close();
    owners.close();
  });

  function linkSite(req: GatewayRequest, { organizations }: KnownSites): Found {
    if (organizations.size === 0) return null;
    const slug = slugOf(req);
    return slug === null ? null : owners.limitOf({ slug, address: req.context.address }, organizations);
  }

  const findByClass: Readonly<Partial<Record<EndpointClass, FindSite>>> = {
    ingest: ingestSite,
    flags: flagsSite,
    links: linkSite,
  };

  return function siteLimit(req) {
    const { principal, endpoint } = req.context;
    const find = findByClass[endpoint.class];
    if (find === undefined || principal === null || principal.caller.kind !== 'public') return null;
    const known = index.known();
    return known instanceof Promise ? known.then((sites) => find(req, sites)) : find(req, known);
  };
}

function ingestSite(req: GatewayRequest, { websites }: KnownSites): SiteLimit | null {
  if (websites.size === 0) return null;
  const name = namedWebsite(queryOf(req), req.headers);
  return name === null ? null : (websites.get(name) ?? null);
}

function flagsSite(req: GatewayRequest, { websites, organizations }: KnownSites): SiteLimit | null {
  if (organizations.size === 0) return null;
  const name = namedFlagsClient(queryOf(req));
  return name === null ? null : (websites.get(name) ?? organizations.get(name) ?? null);
}

/** The one segment of the path, where it may be a slug. */
function slugOf({ url }: GatewayRequest): string | null {
  const slug = url.slice(1).split(/[?#]/, 1)[0] ?? '';
  return isSlug(slug) ? slug : null;
}

/** As the services read it. */
function queryOf({ url }: GatewayRequest): ParsedQuery {
  const start = url.indexOf('?');
  if (start === -1) return {};
  const end = url.indexOf('#', start);
  return parse(url.slice(start + 1, end === -1 ? undefined : end));
}
