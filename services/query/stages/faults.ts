/** Collects the faults of a request, so that the client learns of all of them at once. */
import type { z } from 'zod';
import { ApiError, type ErrorDetail } from '../../shared/errors/api-error.ts';
import { fieldPath, validationError, zodDetails } from '../../shared/errors/zod-details.ts';

export interface Faults {
  /** A fault of shape or value. */
  add(field: string, message: string): void;
  /** A date that cannot be: with no other faults the code is INVALID_DATE_RANGE. */
  addDate(field: string, message: string): void;
  /** Every issue of a schema. */
  addIssues(issues: readonly z.core.$ZodIssue[], prefix: string): void;
  /** @throws ApiError VALIDATION_ERROR or INVALID_DATE_RANGE when there is any fault. */
  throwIfAny(): void;
}

export function createFaults(): Faults {
  const details: ErrorDetail[] = [];
  let onlyDates = true;
  const add = (detail: ErrorDetail) => {
    const known = details.some(({ field, message }) => field === detail.field && message === detail.message);
    if (!known) details.push(detail);
  };
  return {
    add(field, message) {
      onlyDates = false;
      add({ field, message });
    },
    addDate(field, message) {
      add({ field, message });
    },
    addIssues(issues, prefix) {
      onlyDates = false;
      for (const detail of zodDetails(issues.flatMap(nearestBranch), prefix)) add(detail);
    },
    throwIfAny() {
      const [first] = details;
      if (!first) return;
      if (!onlyDates) throw validationError(details);
      throw new ApiError('INVALID_DATE_RANGE', { text: `${first.field}: ${first.message}`, details });
    },
  };
}

/** Of a value that fits no branch of a union, the faults of the one branch whose type it has; else the union's own. */
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
