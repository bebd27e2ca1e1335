/** Collects the faults of a request, so that the client learns all of them at once. */
import type { z } from 'zod';
import { ApiError, type ErrorDetail } from '../../shared/errors/api-error.ts';
import { fieldPath, validationError, zodDetails } from '../../shared/errors/zod-details.ts';
import { shownName, unknownName } from './unknown-names.ts';

export interface Faults {
  /** A fault of shape or value. */
  add(field: string, message: string): void;
  /** An impossible date: without other faults the code is INVALID_DATE_RANGE. */
  addDate(field: string, message: string): void;
  /** Every issue of a schema; `names`: the names that its objects may have. */
  addIssues(issues: readonly z.core.$ZodIssue[], prefix: string, names?: KnownNames): void;
  /** Whether there are none so far. */
  isEmpty(): boolean;
  /** @throws ApiError VALIDATION_ERROR or INVALID_DATE_RANGE when there is any fault. */
  throwIfAny(): void;
}

/** The names that objects may have, by their place: `filters` for every element of that list, '' for the whole. */
export type KnownNames = Readonly<Record<string, readonly string[]>>;

/** How many unknown names get a suggestion: each is compared with all known names, letter by letter. */
const MOST_SUGGESTIONS = 20;

export function createFaults(): Faults {
  const details: ErrorDetail[] = [];
  const told = new Set<string>();
  let onlyDates = true;
  let suggested = 0;
  const add = (detail: ErrorDetail) => {
    const key = `${detail.field}\n${detail.message}`;
    if (told.has(key)) return;
    told.add(key);
    details.push(detail);
  };
  const addUnknown = (
    { keys, path }: z.core.$ZodIssueUnrecognizedKeys,
    prefix: string,
    names: KnownNames,
  ) => {
    const known = names[path.filter((step) => typeof step === 'string').join('.')] ?? [];
    for (const name of keys) {
      const fault = unknownName(name, known, suggested++ < MOST_SUGGESTIONS);
      add({ field: fieldPath([...path, shownName(name)], prefix), ...fault });
    }
  };
  return {
    add(field, message) {
      onlyDates = false;
      add({ field, message });
    },
    addDate(field, message) {
      add({ field, message });
    },
    addIssues(issues, prefix, names = {}) {
      onlyDates = false;
      for (const issue of issues.flatMap(nearestBranch)) {
        if (issue.code === 'unrecognized_keys') addUnknown(issue, prefix, names);
        else for (const detail of zodDetails([issue], prefix)) add(detail);
      }
    },
    isEmpty: () => details.length === 0,
    throwIfAny() {
      const [first] = details;
      if (!first) return;
      if (!onlyDates) throw validationError(details);
      throw new ApiError('INVALID_DATE_RANGE', { text: `${first.field}: ${first.message}`, details });
    },
  };
}

/** If a value matches no branch of a union: the faults of the only branch with its type; else the union's own. */
function nearestBranch(issue: z.core.$ZodIssue): z.core.$ZodIssue[] {
  if (issue.code !== 'invalid_union') return [issue];
  const sameType = issue.errors.filter(
    (branch) => !branch.some((inner) => inner.code === 'invalid_type' && inner.path.length === 0),
  );
  const [branch] = sameType;
  if (!branch || sameType.length > 1) return [issue];
  return branch
    .map((inner) => ({ ...inner, path: [...issue.path, ...inner.path] }))
    .flatMap((inner) => nearestBranch(inner));
}

/** `parameters[1].startDate` below the prefix of a batch's element. */
export function fieldIn(prefix: string, ...path: (string | number)[]): string {
  return fieldPath(path, prefix);
}
