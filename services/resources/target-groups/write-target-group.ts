/** Creates, changes and deletes target groups; a group that a flag uses cannot be deleted. */
import type { Caller } from '../../shared/access/caller.ts';
import { organizationOf } from '../../shared/access/organization-of.ts';
import { ApiError } from '../../shared/errors/api-error.ts';
import type { TargetGroup } from '../../shared/model/flag.ts';
import type { DocumentStore } from '../../shared/ports/document-store.ts';
import type { Changed, ResourceTarget } from '../define-resource.ts';
import { stillUsed, type WriteFlagPorts } from '../flags/write-flag.ts';
import { notFound, requireMatch, writeMatching } from '../write-matching.ts';
import {
  MAX_TARGET_GROUPS,
  MAX_TARGET_GROUPS_LENGTH,
  TARGET_GROUP_DEFAULTS,
  type TargetGroupChanges,
  type TargetGroupInput,
} from './schema.ts';

const KIND = 'target group';

/** The organization whose groups the caller may read and write. @throws ApiError ACCESS_DENIED for a website-specific key */
export function groupsOrganizationOf(caller: Caller): string {
  const organizationId = organizationOf(caller);
  if (caller.access.level === 'global') return organizationId;
  throw new ApiError('ACCESS_DENIED', {
    text: 'Target groups are of the whole organization, which a website-specific key does not reach.',
  });
}

/** @throws ApiError NOT_FOUND, ACCESS_DENIED */
export async function requireTargetGroup(
  { targetGroups }: Pick<DocumentStore, 'targetGroups'>,
  caller: Caller,
  id: string,
): Promise<TargetGroup> {
  const group = await targetGroups.get(groupsOrganizationOf(caller), id);
  if (!group) throw notFound(KIND, id);
  return group;
}

/** @throws ApiError ACCESS_DENIED; CONFLICT at the bound */
export async function createTargetGroup(
  { documents, ids, oneAtATime }: WriteFlagPorts,
  caller: Caller,
  data: TargetGroupInput,
): Promise<TargetGroup> {
  const organizationId = groupsOrganizationOf(caller);
  return oneAtATime(organizationId, async () => {
    const group = {
      ...{ id: ids.create('tgt'), organizationId },
      ...{ ...TARGET_GROUP_DEFAULTS, rules: [], ...data },
      createdBy: caller.userId ?? caller.id,
    };
    await requireRoom(documents, group);
    return documents.targetGroups.insert(group);
  });
}

/** The group to change, and the changes. */
export interface AskedOfGroup {
  readonly before: TargetGroup;
  readonly changes: TargetGroupChanges;
}

/** @throws ApiError NOT_FOUND, PRECONDITION_FAILED; CONFLICT when others keep being faster */
export async function changeTargetGroup(
  { documents, oneAtATime }: WriteFlagPorts,
  { id, ifMatch }: ResourceTarget,
  { before, changes }: AskedOfGroup,
): Promise<Changed<TargetGroup>> {
  return oneAtATime(before.organizationId, async () => {
    if (changes.rules !== undefined) await requireRoom(documents, { ...before, ...changes });
    return writeMatching<TargetGroup>(documents.targetGroups, {
      ...{ organizationId: before.organizationId, id, ifMatch, kind: KIND },
      changesOf: () => (Object.keys(changes).length === 0 ? null : changes),
    });
  });
}

/** @throws ApiError ACCESS_DENIED, NOT_FOUND, PRECONDITION_FAILED; CONFLICT naming the flags that use it */
export async function deleteTargetGroup(
  { documents, oneAtATime }: WriteFlagPorts,
  { caller, id, ifMatch }: ResourceTarget,
): Promise<void> {
  const organizationId = groupsOrganizationOf(caller);
  await oneAtATime(organizationId, async () => {
    const group = await requireTargetGroup(documents, caller, id);
    requireMatch(ifMatch, group);
    const flags = await documents.flags.all(organizationId);
    const users = flags.filter(({ targetGroupIds }) => targetGroupIds.includes(id));
    if (users.length > 0) throw stillUsed(`target group "${group.name}"`, 'use', users);
    if (!(await documents.targetGroups.remove(organizationId, id))) throw notFound(KIND, id);
  });
}

/** Refuses what the organization has no room for. */
async function requireRoom(
  { targetGroups }: DocumentStore,
  group: Pick<TargetGroup, 'id' | 'organizationId'>,
): Promise<void> {
  const all = await targetGroups.all(group.organizationId);
  const others = all.filter(({ id }) => id !== group.id);
  const have = (what: string) =>
    new ApiError('CONFLICT', { text: `The organization's target groups ${what}.` });
  if (others.length >= MAX_TARGET_GROUPS) throw have(`are ${MAX_TARGET_GROUPS}, as many as there may be`);
  if (JSON.stringify([...others, group]).length > MAX_TARGET_GROUPS_LENGTH)
    throw have(`would hold more than ${MAX_TARGET_GROUPS_LENGTH} characters of JSON together`);
}
