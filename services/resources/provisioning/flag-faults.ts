/** The faults of a provisioning file's flags that depend on other flags, in the file and in the store. */
import type { Flag } from '../../shared/model/flag.ts';
import type { DocumentStore } from '../../shared/ports/document-store.ts';
import { circleThrough, type DependingFlag } from '../flags/flag-scope.ts';
import type { PlannedEntry } from './planned-entry.ts';
import type { UnplacedFault } from './provisioning-fault.ts';

type FlagEntry = Extract<PlannedEntry, { kind: 'flag' }>;

/**
 * Identifiers of other organizations, keys that another flag has, changed places, unknown dependencies, circles, unknown
 * target groups and missing variants.
 */
export async function flagFaults(
  documents: DocumentStore,
  changed: readonly PlannedEntry[],
): Promise<UnplacedFault[]> {
  const entries = changed.filter((entry) => entry.kind === 'flag');
  const organizations = new Set(entries.map(({ organizationId }) => organizationId));
  const faults = await Promise.all(
    [...organizations].map(async (organizationId) => {
      const own = entries.filter((entry) => entry.organizationId === organizationId);
      const stored = await documents.flags.all(organizationId);
      const groups = (await documents.targetGroups.all(organizationId)).map(({ id }) => id);
      const all = afterwards(stored, own);
      const each = own.map((entry) => [
        ...placeFaults(entry, stored),
        ...dependencyFaults(entry, all),
        ...groupFaults(entry, new Set(groups)),
        ...variantFaults(entry),
      ]);
      return [...each.flat(), ...(await foreignFaults(documents, own))];
    }),
  );
  return faults.flat();
}

const scopeOf = ({ organizationId, fields }: FlagEntry): string => fields.websiteId ?? organizationId;

/** The flags after the file is applied. */
function afterwards(stored: readonly Flag[], entries: readonly FlagEntry[]): DependingFlag[] {
  const written = new Set(entries.map(({ fields }) => fields.id));
  return [
    ...stored.filter(({ id }) => !written.has(id)),
    ...entries.map((entry) => ({
      key: entry.fields.key,
      scopeId: scopeOf(entry),
      dependencies: entry.fields.dependencies ?? [],
    })),
  ];
}

async function foreignFaults(
  documents: DocumentStore,
  entries: readonly FlagEntry[],
): Promise<UnplacedFault[]> {
  const holders = await Promise.all(
    entries.map(({ fields }) => documents.flags.findUnique('id', [fields.id])),
  );
  return entries.flatMap(({ organizationId, fields, path }, i) => {
    const holder = holders[i];
    if (!holder || holder.organizationId === organizationId) return [];
    const message = `came "${fields.id}", which belongs to another organization; allowed: an identifier of its own`;
    return [{ path: [...path, 'id'], message }];
  });
}

function placeFaults(entry: FlagEntry, stored: readonly Flag[]): UnplacedFault[] {
  const { fields, path } = entry;
  const scopeId = scopeOf(entry);
  const existing = stored.find(({ id }) => id === fields.id);
  if (existing && (existing.key !== fields.key || existing.scopeId !== scopeId)) {
    const message = `came another key or website than the flag ${fields.id} has; allowed: the same, or another identifier`;
    return [{ path: [...path, 'key'], message }];
  }
  const other = stored.find((flag) => flag.key === fields.key && flag.scopeId === scopeId);
  if (!other || other.id === fields.id) return [];
  const message = `came "${fields.key}", which the flag ${other.id} has; allowed: one flag per key`;
  return [{ path: [...path, 'key'], message }];
}

function dependencyFaults(entry: FlagEntry, all: readonly DependingFlag[]): UnplacedFault[] {
  const { organizationId, fields, path } = entry;
  const scopeId = scopeOf(entry);
  const { key, dependencies = [] } = fields;
  const reachable = all.filter((flag) => flag.scopeId === scopeId || flag.scopeId === organizationId);
  const faults = dependencies.flatMap((name, i): UnplacedFault[] => {
    if (reachable.some((flag) => flag.key === name)) return [];
    const message = `came "${name}", which is no flag; allowed: keys of flags of the same website or of the organization`;
    return [{ path: [...path, 'dependencies', i], message }];
  });
  const circle = circleThrough({ key, scopeId, dependencies }, all);
  if (circle === null) return faults;
  const message = `close a circle ${circle.join(' → ')}; allowed: none`;
  return [...faults, { path: [...path, 'dependencies'], message }];
}

function groupFaults({ fields, path }: FlagEntry, groups: ReadonlySet<string>): UnplacedFault[] {
  return (fields.targetGroupIds ?? []).flatMap((id, i) => {
    if (groups.has(id)) return [];
    const message = `came "${id}", which is no target group; allowed: target groups of the organization`;
    return [{ path: [...path, 'targetGroupIds', i], message }];
  });
}

function variantFaults({ fields, path }: FlagEntry): UnplacedFault[] {
  if (fields.type !== 'multivariant' || (fields.variants ?? []).length > 0) return [];
  return [{ path: [...path, 'variants'], message: 'is missing; allowed: at least one variant' }];
}
