/** Validates a new or changed flag against the existing flags and target groups: every fault at once. */
import type { ErrorDetail } from '../../shared/errors/api-error.ts';
import { nearestName } from '../../shared/errors/nearest-name.ts';
import { validationError } from '../../shared/errors/zod-details.ts';
import type { Flag } from '../../shared/model/flag.ts';
import type { DocumentStore } from '../../shared/ports/document-store.ts';
import { circleThrough, type DependingFlag, flagsAround, reachableKeys } from './flag-scope.ts';
import { dependenciesSchema, FLAG_DEFAULTS, type FlagChanges, targetGroupIdsSchema } from './schema.ts';

/** How many unknown dependencies get a suggestion: each is compared with up to 1,000 keys, letter by letter. */
const MOST_SUGGESTIONS = 3;

/** The fixed properties of the flag. */
export type FlagPlace = Pick<Flag, 'organizationId' | 'key' | 'scopeId' | 'websiteId'>;

/** The request, valid or not. */
export interface AskedFlag {
  /** The input, field by field. */
  readonly fields: Readonly<Record<string, unknown>>;
  /** The faults that the schema found. */
  readonly faults: readonly ErrorDetail[];
  /** The flag before the change; null for a new one. */
  readonly existing: Flag | null;
}

/** @throws ApiError VALIDATION_ERROR with every fault at once, those of the schema included */
export async function requireSound(
  documents: Pick<DocumentStore, 'flagsIn' | 'targetGroups'>,
  place: FlagPlace,
  { fields, faults, existing }: AskedFlag,
): Promise<void> {
  const all = [
    ...faults,
    ...variantFaults(fields, existing),
    ...(await dependencyFaults(documents, place, fields, existing)),
    ...(await groupFaults(documents, place.organizationId, fields.targetGroupIds)),
  ];
  if (all.length > 0) throw validationError(all);
}

function variantFaults(fields: AskedFlag['fields'], existing: Flag | null): ErrorDetail[] {
  const type = fields.type ?? existing?.type;
  const variants = fields.variants ?? existing?.variants ?? [];
  if (type !== 'multivariant' || !Array.isArray(variants) || variants.length > 0) return [];
  return [{ field: 'variants', message: 'Allowed: at least one for a flag of type multivariant.' }];
}

async function dependencyFaults(
  documents: Pick<DocumentStore, 'flagsIn'>,
  { organizationId, key, scopeId, websiteId }: FlagPlace,
  fields: AskedFlag['fields'],
  existing: Flag | null,
): Promise<ErrorDetail[]> {
  if (existing !== null && fields.dependencies === undefined) return [];
  const asked = dependenciesSchema.safeParse(fields.dependencies ?? []);
  if (!asked.success) return [];
  const dependencies = asked.data;
  // A new flag is always checked: flags of its website that depended on the organization's flag with this key depend on
  // it from now on.
  const around = await flagsAround(documents, organizationId, websiteId);
  const known = reachableKeys(around).add(key);
  // Names of flags that the caller may not read are never suggested.
  const suggested = around.flatMap((flag) => (flag.scopeId === scopeId ? flag.key : []));
  let unknown = 0;
  const faults = dependencies.flatMap((name, i): ErrorDetail[] => {
    if (known.has(name)) return [];
    const suggestion = unknown++ < MOST_SUGGESTIONS ? nearestName(name, suggested) : undefined;
    const where = websiteId === null ? 'the organization' : 'this website and of its organization';
    const message = `There is no flag "${name}" among those of ${where}.`;
    return [{ field: `dependencies[${i}]`, message, ...(suggestion === undefined ? {} : { suggestion }) }];
  });
  const circle = circleThrough({ key, scopeId, dependencies }, around);
  return circle === null ? faults : [...faults, circleFault(circle)];
}

function circleFault(circle: readonly string[]): ErrorDetail {
  return { field: 'dependencies', message: `They close a circle: ${circle.join(' → ')}.` };
}

async function groupFaults(
  { targetGroups }: Pick<DocumentStore, 'targetGroups'>,
  organizationId: string,
  asked: unknown,
): Promise<ErrorDetail[]> {
  const ids = targetGroupIdsSchema.safeParse(asked ?? []);
  if (!ids.success) return [];
  const groups = await Promise.all(ids.data.map((id) => targetGroups.get(organizationId, id)));
  return ids.data.flatMap((id, i) =>
    groups[i] ? [] : [{ field: `targetGroupIds[${i}]`, message: `There is no target group "${id}".` }],
  );
}

/** A conflict with what another process wrote meanwhile; null when there is none. */
export async function clashOf(
  documents: Pick<DocumentStore, 'flagsIn'>,
  flag: FlagPlace & DependingFlag,
): Promise<string | null> {
  const around = await flagsAround(documents, flag.organizationId, flag.websiteId);
  const circle = circleThrough(flag, around);
  if (circle !== null) return `a circle ${circle.join(' → ')}`;
  const known = reachableKeys(around);
  const gone = flag.dependencies.find((name) => !known.has(name));
  return gone === undefined ? null : `a dependency on "${gone}", which is gone`;
}

/** The fields of a new flag. */
export function newFlagFields(place: Pick<Flag, 'key'>, asked: FlagChanges): Required<FlagChanges> {
  return {
    name: place.key,
    ...FLAG_DEFAULTS,
    rules: [],
    variants: [],
    dependencies: [],
    targetGroupIds: [],
    ...asked,
  };
}
