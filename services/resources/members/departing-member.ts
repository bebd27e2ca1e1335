/** Keeps an owner in every organization, across processes: the organization first marks who is about to leave. */
import type { RandomBytes } from '../../shared/credentials/api-key-text.ts';
import { ApiError } from '../../shared/errors/api-error.ts';
import type { DepartingMember, Organization } from '../../shared/model/organization.ts';
import type { Clock } from '../../shared/ports/clock.ts';
import type { DocumentStore } from '../../shared/ports/document-store.ts';
import { notFound } from '../write-matching.ts';

/** How long a mark counts whose process did not remove it, in milliseconds. */
const MARK_LIFE_MS = 120_000;
/** How old a mark may be when its write begins, in milliseconds; the rest of its life is for the write. */
const FRESH_MS = 10_000;
/** How often marking is retried when another request wrote the organization. */
const MAX_TRIES = 100;

export interface DeparturePorts {
  readonly documents: Pick<DocumentStore, 'organizations' | 'memberships'>;
  readonly clock: Clock;
  readonly randomBytes: RandomBytes;
}

/**
 * Runs `depart`, which removes the member or takes away the role of owner, while no other process counts the member as
 * an owner. The organization is read before its members and written at the version read. So of two departures that would
 * leave no owner, the later one sees the mark of the earlier, or its result.
 * @throws ApiError CONFLICT for the last owner, NOT_FOUND without the organization, SERVICE_UNAVAILABLE
 */
export async function whileDeparting<T>(
  ports: DeparturePorts,
  { organizationId, membershipId }: { readonly organizationId: string; readonly membershipId: string },
  depart: () => Promise<T>,
): Promise<T> {
  const mark = await placeMark(ports, organizationId, membershipId);
  try {
    if (ports.clock.now() - Date.parse(mark.at) > FRESH_MS) throw busy();
    return await depart();
  } finally {
    // A mark that remains only keeps its member from counting as an owner for a while.
    await removeMark(ports, organizationId, mark).catch(() => {});
  }
}

async function placeMark(
  { documents, clock, randomBytes }: DeparturePorts,
  organizationId: string,
  membershipId: string,
): Promise<DepartingMember> {
  const id = Buffer.from(randomBytes(12)).toString('base64url');
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const organization = await documents.organizations.get(organizationId, organizationId);
    if (!organization) throw notFound('organization', organizationId);
    const marks = liveMarks(organization, clock);
    const memberships = await documents.memberships.all(organizationId);
    const isOwner = (one: { readonly id: string; readonly role: string }) => one.role === 'owner';
    const others = memberships.filter(
      (one) => isOwner(one) && one.id !== membershipId && marks.every((mark) => mark.membershipId !== one.id),
    );
    if (others.length === 0 && memberships.some((one) => isOwner(one) && one.id === membershipId)) {
      throw new ApiError('CONFLICT', {
        text: 'The last owner of an organization stays: make another owner first.',
      });
    }
    const mark = { id, membershipId, at: new Date(clock.now()).toISOString() };
    const changes = { departingMembers: [...marks, mark] };
    if (await documents.organizations.update(organizationId, organizationId, organization.version, changes)) {
      return mark;
    }
  }
  throw busy();
}

async function removeMark(
  { documents, clock }: DeparturePorts,
  organizationId: string,
  { id }: DepartingMember,
): Promise<void> {
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const organization = await documents.organizations.get(organizationId, organizationId);
    if (!organization) return;
    const departingMembers = liveMarks(organization, clock).filter((mark) => mark.id !== id);
    const { version } = organization;
    if (await documents.organizations.update(organizationId, organizationId, version, { departingMembers })) {
      return;
    }
  }
}

function liveMarks({ departingMembers = [] }: Organization, clock: Clock): DepartingMember[] {
  return departingMembers.filter(({ at }) => clock.now() - Date.parse(at) < MARK_LIFE_MS);
}

function busy(): ApiError {
  return new ApiError('SERVICE_UNAVAILABLE', {
    text: 'The members of this organization are being changed by many requests at once; try again.',
    headers: { 'Retry-After': '1' },
  });
}
