/** Creates, changes and deletes flags, so that every dependency exists and no circle forms. */

import type { Caller } from '../../shared/access/caller.ts';
import { organizationOf } from '../../shared/access/organization-of.ts';
import { reaches, requireWebsite } from '../../shared/access/website-access.ts';
import { ApiError } from '../../shared/errors/api-error.ts';
import { validationError } from '../../shared/errors/zod-details.ts';
import type { Flag } from '../../shared/model/flag.ts';
import { type DocumentStore, DuplicateError } from '../../shared/ports/document-store.ts';
import type { Ids } from '../../shared/ports/ids.ts';
import type { Changed, ResourceTarget } from '../define-resource.ts';
import type { JudgedFields } from '../judge-fields.ts';
import type { OneAtATime } from '../members/one-at-a-time.ts';
import { notFound, requireMatch } from '../write-matching.ts';
import { dependentsOf, flagsAround } from './flag-scope.ts';
import { clashOf, newFlagFields, requireSound } from './judge-flag.ts';
import { type FlagChanges, type FlagInput, flagInputSchema, MAX_FLAGS, MAX_FLAGS_LENGTH } from './schema.ts';

export interface WriteFlagPorts {
  readonly documents: DocumentStore;
  readonly ids: Ids;
  /** Writes of one organization do not race each other within this process. */
  readonly oneAtATime: OneAtATime;
}

const KIND = 'flag';
/** How often a change without If-Match is retried when another process was faster. */
const MAX_TRIES = 5;
/** Fields that are set at creation and never change. */
const FIXED = ['key', 'websiteId'];

/** @throws ApiError NOT_FOUND; ACCESS_DENIED outside a website-specific key's websites */
export async function requireFlag(documents: DocumentStore, caller: Caller, id: string): Promise<Flag> {
  const flag = await documents.flags.get(organizationOf(caller), id);
  if (!flag) throw notFound(KIND, id);
  if (caller.access.level === 'global') return flag;
  if (flag.websiteId !== null && reaches(caller, flag.websiteId)) return flag;
  throw new ApiError('ACCESS_DENIED', { text: `The flag "${id}" is of no website that this key reaches.` });
}

/**
 * `asked` may be faulty: its faults are reported together with those that only other flags and target groups reveal.
 * @throws ApiError VALIDATION_ERROR, ACCESS_DENIED; CONFLICT for a key that is taken
 */
export async function createFlag(
  ports: WriteFlagPorts,
  caller: Caller,
  { fields, data, faults }: JudgedFields<FlagInput>,
): Promise<Flag> {
  const { documents, ids, oneAtATime } = ports;
  const organizationId = organizationOf(caller);
  const websiteId = flagInputSchema.shape.websiteId.safeParse(fields.websiteId).data ?? null;
  const key = flagInputSchema.shape.key.safeParse(fields.key).data ?? '';
  if (websiteId !== null) await requireWebsite(documents, caller, websiteId);
  else if (caller.access.level !== 'global')
    throw faults.length > 0 ? validationError(faults) : ofNoWebsite();
  const scopeId = websiteId ?? organizationId;

  return oneAtATime(organizationId, async () => {
    const place = { organizationId, key, scopeId, websiteId };
    await requireSound(documents, place, { fields, faults, existing: null });
    // Without faults there is data.
    if (data === null) throw validationError(faults);
    const { key: _key, websiteId: _websiteId, ...rest } = data;
    const id = ids.create('flg');
    const written = { id, ...place, ...newFlagFields(place, rest), createdBy: caller.userId ?? caller.id };
    await requireRoom(documents, written);
    const flag = await documents.flags.insert(written).catch((fault: unknown) => {
      if (fault instanceof DuplicateError && fault.index === 'scopeKey') throw keyTaken(key, websiteId);
      throw fault;
    });
    const clash = await clashOf(documents, flag);
    if (clash === null) return flag;
    await documents.flags.remove(organizationId, id);
    throw clashed(clash);
  });
}

/**
 * As for a new one.
 * @throws ApiError VALIDATION_ERROR, NOT_FOUND, ACCESS_DENIED, PRECONDITION_FAILED; CONFLICT when others keep being
 * faster
 */
export async function changeFlag(
  ports: WriteFlagPorts,
  { caller, id, ifMatch }: ResourceTarget,
  { fields, data, faults }: JudgedFields<FlagChanges>,
): Promise<Changed<Flag>> {
  const { documents, oneAtATime } = ports;
  const told = faults.map((fault) => (FIXED.includes(fault.field) ? fixedFault(fault.field) : fault));
  return oneAtATime(organizationOf(caller), async () => {
    for (let tries = 0; tries < MAX_TRIES; tries++) {
      const existing = await requireFlag(documents, caller, id);
      await requireSound(documents, existing, { fields, faults: told, existing });
      requireMatch(ifMatch, existing);
      if (data === null) throw validationError(told);
      if (Object.keys(data).length === 0) return { document: existing, changed: false };
      await requireRoom(documents, { ...existing, ...data });
      const flag = await documents.flags.update(existing.organizationId, id, existing.version, data);
      if (!flag) continue;
      const clash = data.dependencies === undefined ? null : await clashOf(documents, flag);
      if (clash === null) return { document: flag, changed: true };
      await undo(documents, flag, existing, Object.keys(data));
      throw clashed(clash);
    }
    throw new ApiError('CONFLICT', {
      text: `The flag "${id}" is being changed by somebody else; try again.`,
    });
  });
}

/** @throws ApiError NOT_FOUND, ACCESS_DENIED, PRECONDITION_FAILED; CONFLICT naming the flags that depend on it */
export async function deleteFlag(
  ports: WriteFlagPorts,
  { caller, id, ifMatch }: ResourceTarget,
): Promise<void> {
  const { documents, oneAtATime } = ports;
  await oneAtATime(organizationOf(caller), async () => {
    const flag = await requireFlag(documents, caller, id);
    requireMatch(ifMatch, flag);
    const dependents = dependentsOf(flag, await documents.flags.all(flag.organizationId));
    if (dependents.length > 0) throw stillUsed(`flag "${flag.key}"`, 'depend on', dependents);
    if (!(await documents.flags.remove(flag.organizationId, id))) throw notFound(KIND, id);
  });
}

/** The refusal to delete a flag that other flags need, naming them. */
export function stillUsed(what: string, how: 'depend on' | 'use', flags: readonly Flag[]): ApiError {
  const shown = flags.slice(0, 10).map(({ key, websiteId }) => {
    return websiteId === null ? key : `${key} (${websiteId})`;
  });
  const more = flags.length > shown.length ? ` and ${flags.length - shown.length} more` : '';
  const text = `The ${what} cannot be deleted: these flags ${how} it: ${shown.join(', ')}${more}.`;
  return new ApiError('CONFLICT', { text });
}

/** Reverts a change, unless somebody changed the flag again meanwhile: that writer checks for conflicts too. */
async function undo(
  { flags }: DocumentStore,
  flag: Flag,
  before: Flag,
  fields: readonly string[],
): Promise<void> {
  const old = Object.fromEntries(Object.entries(before).filter(([field]) => fields.includes(field)));
  await flags.update(flag.organizationId, flag.id, flag.version, old);
}

function fixedFault(field: string) {
  const message = `The ${field === 'key' ? 'key' : 'website'} of a flag does not change: create another flag.`;
  return { field, message };
}

function ofNoWebsite(): ApiError {
  return new ApiError('ACCESS_DENIED', {
    text: 'A website-specific key writes flags of its websites: name one as websiteId.',
  });
}

function keyTaken(key: string, websiteId: string | null): ApiError {
  const scope = websiteId === null ? 'organization' : `website "${websiteId}"`;
  return new ApiError('CONFLICT', { text: `The ${scope} has a flag "${key}" already.` });
}

/** Refuses what the flag's scope has no room for. */
async function requireRoom(
  documents: DocumentStore,
  flag: Pick<Flag, 'id' | 'organizationId' | 'websiteId' | 'scopeId'>,
): Promise<void> {
  const { id, organizationId, websiteId, scopeId } = flag;
  const around = await flagsAround(documents, organizationId, websiteId);
  const others = around.filter((other) => other.scopeId === scopeId && other.id !== id);
  const scope = websiteId === null ? 'organization' : `website "${websiteId}"`;
  if (others.length >= MAX_FLAGS)
    throw new ApiError('CONFLICT', { text: `The ${scope} has ${MAX_FLAGS} flags, as many as it may.` });
  if (JSON.stringify([...others, flag]).length <= MAX_FLAGS_LENGTH) return;
  const text = `The flags of the ${scope} would hold more than ${MAX_FLAGS_LENGTH} characters of JSON together.`;
  throw new ApiError('CONFLICT', { text });
}

function clashed(clash: string): ApiError {
  return new ApiError('CONFLICT', {
    text: `Another write of the same moment made this ${clash}; try again.`,
  });
}
