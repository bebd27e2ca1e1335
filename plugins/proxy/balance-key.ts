/** What of a request stays with one address of a service that balances by a hash. */
import type { GatewayCaller } from '../../services/shared/access/caller.ts';
import { queriedWebsite, SELECTOR_SPELLINGS } from '../../services/shared/access/query-selectors.ts';
import { bodyText } from '../../services/shared/http/body-text.ts';
import { scanJson } from '../../services/shared/http/json-bounds.ts';
import { queryOf } from '../../services/shared/http/query-string.ts';
import type { HashKey, ServiceEndpoint } from '../../services/shared/plans/service-endpoint.ts';
import type { GatewayRequest, RequestContext } from '../kit/request-context.ts';
import { hashOf } from './rendezvous.ts';

/** The hash of the key of a request; null: it has none, and the load alone decides. */
export type KeyOf = (req: GatewayRequest, caller: GatewayCaller) => number | null;

/** Largest body that is read for the website that it names, in bytes; parsing it takes less than a millisecond. */
const MOST_BODY_BYTES = 65_536;

const NAMES = SELECTOR_SPELLINGS.websiteId.map((name) => Buffer.from(name));

/** Null where nothing is to be found: the service does not balance by a hash, or has one address. */
export function createKeyOf({ balance, urls }: Pick<ServiceEndpoint, 'balance' | 'urls'>): KeyOf | null {
  if (typeof balance === 'string' || urls.length < 2) return null;
  const find = FIND[balance.hash];
  return (req, caller) => {
    const key = find(req, caller);
    return key === null ? null : hashOf(key);
  };
}

const FIND: Readonly<Record<HashKey, (req: GatewayRequest, caller: GatewayCaller) => string | null>> = {
  website: (req, caller) => websiteOf(req) ?? onlyWebsiteOf(caller) ?? caller.organizationId,
  organization: (_req, { organizationId }) => organizationId,
};

function websiteOf({ context, url }: GatewayRequest): string | null {
  const target = context.target ?? url;
  return queriedWebsite(target.includes('?') ? queryOf(target) : {}, bodyNaming(context));
}

/** The website that a query without a selector covers, where the caller reaches no other. */
function onlyWebsiteOf({ access }: GatewayCaller): string | null {
  if (access.level !== 'website' || access.websiteIds.length !== 1) return null;
  return access.websiteIds[0] ?? null;
}

/** The parsed body if it was read whole anyway, is small and says the name of a website somewhere; else undefined. */
function bodyNaming({ body }: RequestContext): unknown {
  if (body === null || body.length > MOST_BODY_BYTES) return undefined;
  if (!NAMES.some((name) => body.includes(name)) || scanJson(body).refusal !== null) return undefined;
  try {
    return JSON.parse(bodyText(body));
  } catch {
    // The service says what is wrong with it.
    return undefined;
  }
}
