/** Finds what the token of a share shows: one that is unknown, expired or deleted, or shows nothing any more, does not exist. */
import { hashOneTimeToken } from '../credentials/one-time-token.ts';
import { ApiError } from '../errors/api-error.ts';
import type { SavedView } from '../model/saved-view.ts';
import type { Share } from '../model/share.ts';
import type { DocumentStore } from '../ports/document-store.ts';

/** 256 bits as base64url: no other text is looked up. */
const TOKEN = /^[A-Za-z0-9_-]{43}$/;

/** A share, and the view that it shows. */
export interface FoundShare {
  readonly share: Share;
  readonly view: SavedView;
}

/** Read from the store each time, so that what ends a share binds at once in every process. Null: there is none, whatever is missing. */
export async function lookUpShare(
  documents: Pick<DocumentStore, 'shares' | 'views' | 'websites'>,
  token: string,
  now: number,
): Promise<FoundShare | null> {
  const share = TOKEN.test(token)
    ? await documents.shares.findUnique('tokenHash', [hashOneTimeToken(token)])
    : null;
  if (share === null || (share.expiresAt !== null && Date.parse(share.expiresAt) <= now)) return null;
  const { organizationId, websiteId } = share;
  const view = await documents.views.get(organizationId, share.view);
  const isShown = view !== null && view.websiteId === websiteId && view.ownerId === organizationId;
  if (!isShown || (await documents.websites.get(organizationId, websiteId)) === null) return null;
  return { share, view };
}

/** The same for who cannot go on without. @throws ApiError NOT_FOUND, with one text whatever is missing */
export async function findShare(...asked: Parameters<typeof lookUpShare>): Promise<FoundShare> {
  const found = await lookUpShare(...asked);
  if (found === null) throw noShare();
  return found;
}

function noShare(): ApiError {
  return new ApiError('NOT_FOUND', {
    text: 'There is no such share: it never was, has expired, or was taken back.',
  });
}
