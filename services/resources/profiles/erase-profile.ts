/** Erases a person: stored as a clean-up first, carried out before the answer, finished in the background after a crash. */
import type { Caller } from '../../shared/access/caller.ts';
import { organizationOf } from '../../shared/access/organization-of.ts';
import { ApiError } from '../../shared/errors/api-error.ts';
import { profileDocumentId } from '../../shared/model/profile.ts';
import type { Ids } from '../../shared/ports/ids.ts';
import type { Cleanups } from '../cleanup/cleanups.ts';
import { type KnownPersonPorts, knownPerson, type Person } from './known-person.ts';

export interface ErasePersonPorts extends KnownPersonPorts {
  readonly ids: Ids;
  readonly cleanups: Pick<Cleanups, 'carryOut'>;
}

/**
 * Resolves when everything acknowledged before is gone. Returns what stands for the person in the audit record: a hash,
 * which keeps nothing of the identifier, but lets anyone who knows the identifier recognize it.
 * @throws ApiError ACCESS_DENIED for a website that the caller does not reach, and without a website unless access is
 * global; NOT_FOUND when nothing is known; SERVICE_UNAVAILABLE, and then the erasure continues in the background
 */
export async function eraseProfile(ports: ErasePersonPorts, caller: Caller, person: Person): Promise<string> {
  const organizationId = organizationOf(caller);
  const { websiteId, profileId } = person;
  if (websiteId === null && caller.access.level !== 'global') {
    throw new ApiError('ACCESS_DENIED', {
      text: 'Erasing a person from the whole organization needs global access: name a website as website_id.',
    });
  }
  await knownPerson(ports, caller, person);
  const cleanup = { id: ports.ids.create('cln'), organizationId, kind: 'profile', websiteId } as const;
  const written = await ports.documents.cleanups.insert({ ...cleanup, anonymousId: null, profileId });
  await ports.cleanups.carryOut(written);
  return profileDocumentId({ organizationId, websiteId }, profileId);
}
