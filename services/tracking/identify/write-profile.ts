/** Stores who a visitor is: the person with its traits, and the visitor it belongs to (docs/decisions/0007). */
import { ApiError } from '../../shared/errors/api-error.ts';
import { validationError } from '../../shared/errors/zod-details.ts';
import {
  type Profile,
  type ProfileScope,
  profileDocumentId,
  type Traits,
  visitorProfileDocumentId,
} from '../../shared/model/profile.ts';
import type { Stored } from '../../shared/model/stored.ts';
import {
  type Changes,
  type Collection,
  type DocumentStore,
  DuplicateError,
  type NewDocument,
} from '../../shared/ports/document-store.ts';
import type { Target } from '../record/put-websites.ts';
import { traitsFault, type WireProfile } from './wire-profile.ts';

export type ProfileInput = WireProfile;

/** The sender. */
export interface ProfileWriter {
  /** Whether the sender has a key. */
  readonly isKeyed: boolean;
  /** Admits a new profile before it is stored; returns a function that undoes that. @throws ApiError when no more are admitted */
  admitNew(): Promise<() => void>;
}

/** How often a write is retried when another was faster; in each attempt one of them wins. */
const MOST_TRIES = 100;

/**
 * Resolves when both are durable. A failure between the two leaves the person without the visitor, and the client with an
 * error: repeating the request completes it.
 * @throws ApiError VALIDATION_ERROR when the traits are too many with those known, SERVICE_UNAVAILABLE
 */
export async function writeProfile(
  documents: Pick<DocumentStore, 'profiles' | 'visitorProfiles'>,
  { organizationId, website }: Target,
  { profileId, anonymousId, traits }: ProfileInput,
  { isKeyed, admitNew }: ProfileWriter,
): Promise<void> {
  const scope: ProfileScope = { organizationId, websiteId: website?.id ?? null };
  await put(
    documents.profiles,
    {
      created: {
        ...scope,
        id: profileDocumentId(scope, profileId),
        profileId,
        ...merged({ traits: {} }, traits ?? {}, isKeyed),
      },
      changesOf: (known) => {
        const { keyedTraits = [] } = known;
        const after = merged(known, traits ?? {}, isKeyed);
        const before = { traits: known.traits, keyedTraits };
        return JSON.stringify(after) === JSON.stringify(before) ? null : after;
      },
    },
    admitNew,
  );
  if (!anonymousId) return;
  await put(
    documents.visitorProfiles,
    {
      created: {
        ...scope,
        id: visitorProfileDocumentId(scope, anonymousId),
        anonymousId,
        profileId,
        isKeyed,
      },
      changesOf: (known) => {
        const wasKeyed = known.isKeyed ?? false;
        // Anyone may send without a key, so a keyless request never takes a visitor from the person that a key named.
        if (wasKeyed && !isKeyed) return null;
        return known.profileId === profileId && wasKeyed === isKeyed ? null : { profileId, isKeyed };
      },
    },
    admitNew,
  );
}

/** The traits of a profile, and which of them a key set. */
type Known = Pick<Profile, 'traits' | 'keyedTraits'>;

/**
 * The known traits, overwritten by the given ones; null removes one. Requests without a key do not change what a key set,
 * and traits set without one make room for those a key sets, the earliest first: anyone may send without a key.
 */
function merged(known: Known, given: Traits, isKeyed: boolean): Required<Known> {
  const keyed = new Set(known.keyedTraits);
  const all = new Map(Object.entries(known.traits));
  for (const [name, trait] of Object.entries(given)) {
    if (!isKeyed && keyed.has(name)) continue;
    if (trait === null) all.delete(name);
    else all.set(name, trait);
    if (trait === null) keyed.delete(name);
    else if (isKeyed) keyed.add(name);
  }
  const fault = () => traitsFault(Object.fromEntries(all));
  const yielding = isKeyed ? [...all.keys()].filter((name) => !keyed.has(name)) : [];
  for (const name of yielding) {
    if (fault() === null) break;
    all.delete(name);
  }
  const left = fault();
  if (left === null) return { traits: Object.fromEntries(all), keyedTraits: [...keyed] };
  throw validationError([{ field: 'traits', message: `${left} Those known of the profile count too.` }]);
}

interface Put<T extends Stored> {
  /** The document to insert if there is none. */
  readonly created: NewDocument<T> & Pick<T, 'id' | 'organizationId'>;
  /** The changes if there is one; null: none. */
  changesOf(known: T): Changes<T> | null;
}

async function put<T extends Stored>(
  collection: Collection<T>,
  { created, changesOf }: Put<T>,
  admitNew: ProfileWriter['admitNew'],
): Promise<void> {
  const { organizationId, id } = created;
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const known = await collection.get(organizationId, id);
    if (known === null) {
      if (await admitted(admitNew, () => inserted(collection, created))) return;
      continue;
    }
    const changes = changesOf(known);
    if (changes === null || (await collection.update(organizationId, id, known.version, changes))) return;
  }
  throw new ApiError('SERVICE_UNAVAILABLE', { cause: new Error(`${id} is written by too many at once`) });
}

/** Inserts once admitted; undoes the admission if the insert fails. */
async function admitted(
  admitNew: ProfileWriter['admitNew'],
  insert: () => Promise<boolean>,
): Promise<boolean> {
  const takeBack = await admitNew();
  let isNew = false;
  try {
    isNew = await insert();
    return isNew;
  } finally {
    if (!isNew) takeBack();
  }
}

/** False when another writer was faster. */
async function inserted<T extends Stored>(
  collection: Collection<T>,
  document: NewDocument<T>,
): Promise<boolean> {
  try {
    await collection.insert(document);
    return true;
  } catch (fault) {
    if (fault instanceof DuplicateError) return false;
    throw fault;
  }
}
