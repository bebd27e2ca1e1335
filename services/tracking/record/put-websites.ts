/** Decides which website each event of a request belongs to, and that its caller may write there (contract.md section 6). */
import type { Caller } from '../../shared/access/caller.ts';
import { accessibleWebsites, requireWebsite } from '../../shared/access/website-access.ts';
import { ApiError } from '../../shared/errors/api-error.ts';
import { validationError } from '../../shared/errors/zod-details.ts';
import type { Website } from '../../shared/model/website.ts';
import type { DocumentStore } from '../../shared/ports/document-store.ts';
import type { WebsiteSelector } from './website-selector.ts';

/** Where an event goes; `website` null: to the organization itself. */
export interface Target {
  readonly organizationId: string;
  readonly website: Website | null;
}

/** What a request says of its website besides its events. */
export interface WebsiteContext {
  readonly query: WebsiteSelector;
  /** The value of {@link CLIENT_ID_HEADER}. */
  readonly header: string | string[] | undefined;
  /** Whether the body was an array, and its name in `details[].field`. */
  readonly isList: boolean;
  readonly arrayName: string;
}

/** An event and where it goes. */
export interface Targeted<E> {
  readonly event: E;
  readonly target: Target;
}

/**
 * Each event with its target, in order: its own websiteId, else the request's selector, else the caller's only website,
 * else the organization. Each website is looked up once.
 * @throws ApiError ACCESS_DENIED for a website that is unknown or not the caller's; VALIDATION_ERROR when the caller
 * has several websites and none is named
 */
export async function putWebsites<E extends { readonly websiteId?: string | null }>(
  documents: DocumentStore,
  caller: Caller,
  events: readonly E[],
  context: WebsiteContext,
): Promise<Targeted<E>[]> {
  const { organizationId } = caller;
  if (organizationId === null) throw new ApiError('ACCESS_DENIED');
  const selected = selectorOf(context);
  const idOf = (event: E) => event.websiteId ?? selected;
  const named = events.map(idOf);
  const websites = new Map<string | null, Website | null>();
  const distinct = new Set(named.filter((id) => id !== null));
  for (const website of await Promise.all([...distinct].map((id) => requireWebsite(documents, caller, id)))) {
    websites.set(website.id, website);
  }
  if (named.includes(null)) websites.set(null, await defaultWebsite(documents, caller, named, context));
  return events.map((event) => ({
    event,
    target: { organizationId, website: websites.get(idOf(event)) ?? null },
  }));
}

function selectorOf({ query, header }: WebsiteContext): string | null {
  const named = query.website_id ?? query.websiteId ?? query.client_id;
  if (named !== undefined) return named;
  return typeof header === 'string' && header !== '' ? header : null;
}

/** The website of events that name none; null: the organization. */
async function defaultWebsite(
  documents: DocumentStore,
  caller: Caller,
  named: readonly (string | null)[],
  { isList, arrayName }: WebsiteContext,
): Promise<Website | null> {
  if (caller.access.level === 'global') return null;
  const [only, ...others] = await accessibleWebsites(documents, caller);
  if (!only) {
    throw new ApiError('ACCESS_DENIED', { text: 'This key reaches no website.' });
  }
  if (others.length === 0) return only;
  throw validationError(
    named.flatMap((id, i) =>
      id === null
        ? [
            {
              field: isList ? `${arrayName}[${i}].websiteId` : 'websiteId',
              message: 'Required: this key reaches several websites, so the event must name one.',
            },
          ]
        : [],
    ),
  );
}
