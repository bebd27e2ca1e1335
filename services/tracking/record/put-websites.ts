/** Decides which website each event of a request belongs to, and checks that its sender may write there (contract.md section 6). */
import type { Caller } from '../../shared/access/caller.ts';
import { namedWebsite } from '../../shared/access/named-website.ts';
import { accessibleWebsites, reaches, requireWebsite } from '../../shared/access/website-access.ts';
import { ApiError } from '../../shared/errors/api-error.ts';
import { validationError } from '../../shared/errors/zod-details.ts';
import type { Website } from '../../shared/model/website.ts';
import type { DocumentStore } from '../../shared/ports/document-store.ts';
import { IngestRefusal } from '../ingest/ingest-refusal.ts';
import type { KnownWebsites } from '../ingest/known-websites.ts';
import type { Sender } from '../ingest/validate-sender.ts';
import { LIST_NAME } from './validate-events.ts';
import { usedWebsiteName } from './website-names.ts';
import type { WebsiteSelector } from './website-selector.ts';

/** The target of an event; `website` null: the organization itself. */
export interface Target {
  readonly organizationId: string;
  readonly website: Website | null;
}

/** Where websites are looked up. */
export interface WebsitePorts {
  readonly documents: DocumentStore;
  readonly websites: KnownWebsites;
}

/** How a request names its website, besides its events. */
export interface WebsiteContext {
  readonly query: WebsiteSelector;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** As received: an array or one event. */
  readonly body: unknown;
}

/** An event and its target. */
export interface Targeted<E> {
  readonly event: E;
  readonly target: Target;
}

/** An event as far as it names its website. */
interface Placeable {
  readonly websiteId?: string | null | undefined;
}

/**
 * Each event with its target, in order. Without a key: the website of the request. With one: the event's own websiteId,
 * else the request's selector, else the caller's only website, else the organization; each is looked up once.
 * @throws ApiError ACCESS_DENIED for a website that is unknown, not the caller's, or without a key another than the
 * request's; VALIDATION_ERROR when the caller has several websites and none is named
 */
export async function putWebsites<E extends Placeable>(
  ports: WebsitePorts,
  sender: Sender,
  events: readonly E[],
  context: WebsiteContext,
): Promise<Targeted<E>[]> {
  return sender.kind === 'keyed'
    ? putReachable(ports, sender.caller, events, context)
    : putOnWebsite(sender.website, events, context);
}

function putOnWebsite<E extends Placeable>(
  website: Website,
  events: readonly E[],
  { body }: WebsiteContext,
): Targeted<E>[] {
  const target = { organizationId: website.organizationId, website: website };
  return events.map((event, i) => {
    if ((event.websiteId ?? website.id) === website.id) return { event, target };
    const field = fieldOf(body, i);
    throw new IngestRefusal(
      'website_other',
      'ACCESS_DENIED',
      `${field}: without an API key events go to the website that the request names, "${website.id}"; received "${event.websiteId}".`,
    );
  });
}

async function putReachable<E extends Placeable>(
  ports: WebsitePorts,
  caller: Caller,
  events: readonly E[],
  context: WebsiteContext,
): Promise<Targeted<E>[]> {
  const { organizationId } = caller;
  if (organizationId === null) throw new ApiError('ACCESS_DENIED');
  const selected = namedWebsite(context.query, context.headers);
  const idOf = (event: E) => event.websiteId ?? selected;
  const named = events.map(idOf);
  const [only = null] = named;
  if (only !== null && named.every((id) => id === only)) {
    const target = { organizationId, website: await reachable(ports, caller, only) };
    return events.map((event) => ({ event, target }));
  }
  const websites = new Map<string | null, Website | null>();
  const distinct = new Set(named.filter((id) => id !== null));
  for (const website of await Promise.all([...distinct].map((id) => reachable(ports, caller, id)))) {
    websites.set(website.id, website);
  }
  if (named.includes(null)) websites.set(null, await defaultWebsite(ports, caller, named, context));
  return events.map((event) => ({
    event,
    target: { organizationId, website: websites.get(idOf(event)) ?? null },
  }));
}

/** As `requireWebsite`; the store is read only for one that is not known, so that what another process just made is there. */
async function reachable(
  { documents, websites }: WebsitePorts,
  caller: Caller,
  websiteId: string,
): Promise<Website> {
  const known = reaches(caller, websiteId) ? await websites(websiteId) : null;
  if (known !== null && known.organizationId === caller.organizationId) return known;
  return requireWebsite(documents, caller, websiteId);
}

/** The field that names the website of the event `i`. */
function fieldOf(body: unknown, i: number): string {
  return Array.isArray(body) ? `${LIST_NAME}[${i}].${usedWebsiteName(body[i])}` : usedWebsiteName(body);
}

/** The website of events that name none; null: the organization. */
async function defaultWebsite(
  ports: WebsitePorts,
  caller: Caller,
  named: readonly (string | null)[],
  { body }: WebsiteContext,
): Promise<Website | null> {
  if (caller.access.level === 'global') return null;
  const [only, ...others] = await accessibleWebsites(ports.documents, caller);
  if (!only) {
    throw new ApiError('ACCESS_DENIED', { text: 'This key reaches no website.' });
  }
  if (others.length === 0) return reachable(ports, caller, only.id);
  throw validationError(
    named.flatMap((id, i) =>
      id === null
        ? [
            {
              field: fieldOf(body, i),
              message: 'Required: this key reaches several websites, so the event must name one.',
            },
          ]
        : [],
    ),
  );
}
