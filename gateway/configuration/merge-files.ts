/** Puts a file and those that it includes together into one, in which every name has one owner and keeps its place. */
import { fieldPath } from '../../services/shared/errors/zod-details.ts';
import { Cursor, isMap } from './cursor.ts';
import type { Fault } from './faults.ts';
import { type Place, placeText, type Steps } from './place.ts';
import type { SourceFile } from './source-file.ts';

/** The key that names further files; it is gone from what is put together. */
export const INCLUDE = 'include';

/** Sections whose names are shared out among files. A section that is neither here nor a list stands in one file as a whole. */
const NAMED = [
  'apiEndpoints',
  'serviceEndpoints',
  'pipelines',
  'scopes',
  'roles',
  'plugins',
  'plans',
  'limits',
];
/** Lists to which several files add; what one file lists already, another may list too. */
const LISTED = ['policies', 'overrides'];

/** Which part holds a section, each of its names, or each item of its list. */
interface Section {
  readonly whole: SourceFile;
  readonly names: Map<string, SourceFile>;
  readonly items: { readonly part: SourceFile; readonly index: number }[];
}

/** `parts` in the order in which their endpoints are declared; `root` gives its name, and is one of them. */
export function mergeFiles(root: SourceFile, parts: readonly SourceFile[], faults: Fault[]): SourceFile {
  const sections = new Map<string, Section>();
  for (const part of parts) {
    if (!isMap(part.value)) continue;
    for (const key of Object.keys(part.value).filter((name) => name !== INCLUDE)) {
      addSection(sections, key, part, Cursor.of(part, faults).at(key));
    }
  }

  /** The file of `steps`, and the steps there. */
  function find(steps: Steps): readonly [SourceFile, Steps] {
    const [key, inside, ...rest] = steps;
    const section = sections.get(String(key));
    if (section === undefined || key === undefined) return [root, steps];
    const item = typeof inside === 'number' ? section.items[inside] : undefined;
    if (item !== undefined) return [item.part, [key, item.index, ...rest]];
    return [section.names.get(String(inside)) ?? section.whole, steps];
  }

  return {
    name: root.name,
    value: isMap(root.value) ? merged(sections, ({ value }) => value) : root.value,
    written: isMap(root.value) ? merged(sections, ({ written }) => written) : root.written,
    placeOf(steps): Place {
      const [part, own] = find(steps);
      return part.placeOf(own);
    },
    replacedAt(steps) {
      const [part, own] = find(steps);
      return part.replacedAt(own);
    },
    holdsSecret(steps) {
      if (steps.length < 2) return parts.some((part) => part.holdsSecret(steps));
      const [part, own] = find(steps);
      return part.holdsSecret(own);
    },
  };
}

/** Adds what `part` says at `cursor`; what stands elsewhere already is a fault, and the first one stays. */
function addSection(sections: Map<string, Section>, key: string, part: SourceFile, cursor: Cursor): void {
  const known = sections.get(key);
  const section: Section = known ?? { whole: part, names: new Map(), items: [] };
  sections.set(key, section);
  const others = known !== undefined && sectionOf(known.whole, key);
  if (NAMED.includes(key) && isMap(cursor.value) && (known === undefined || isMap(others))) {
    for (const name of Object.keys(cursor.value)) {
      const owner = section.names.get(name);
      if (owner === undefined) section.names.set(name, part);
      else reportTaken(cursor.at(name), owner.placeOf([key, name]), `"${name}" has one owner, and `);
    }
  } else if (
    LISTED.includes(key) &&
    Array.isArray(cursor.value) &&
    (known === undefined || Array.isArray(others))
  ) {
    const before = new Set(section.items.map((item) => (sectionOf(item.part, key) as unknown[])[item.index]));
    cursor.value.forEach((item: unknown, index) => {
      if (!before.has(item)) section.items.push({ part, index });
    });
  } else if (known !== undefined) reportTaken(cursor, known.whole.placeOf([key]), '');
}

function reportTaken(cursor: Cursor, place: Place, why: string): void {
  cursor.report(`${why}stands in ${placeText(place)} too`, {
    came: fieldPath(cursor.steps),
    allowed: ['one of the two'],
    candidates: [],
  });
}

function sectionOf(part: SourceFile, key: string): unknown {
  return (part.value as Readonly<Record<string, unknown>>)[key];
}

function merged(
  sections: ReadonlyMap<string, Section>,
  of: (part: SourceFile) => unknown,
): Readonly<Record<string, unknown>> {
  const inside = (part: SourceFile, key: string | number, from = of(part)): unknown =>
    (from as Readonly<Record<string | number, unknown>>)[key];
  return Object.fromEntries(
    [...sections].map(([key, { whole, names, items }]) => {
      if (names.size > 0) {
        const named = [...names].map(([name, part]) => [name, inside(part, name, inside(part, key))]);
        return [key, Object.fromEntries(named)];
      }
      if (items.length > 0)
        return [key, items.map(({ part, index }) => inside(part, index, inside(part, key)))];
      return [key, inside(whole, key)];
    }),
  );
}
