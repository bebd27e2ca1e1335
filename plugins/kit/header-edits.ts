/** Changes to the headers that pass the proxy: policies add them to the context, and the proxy applies them. */
import type { PolicyContext } from './policy.ts';

/** Changes `headers` (name, value, name, value) in place. */
export type HeaderEdit = (headers: string[], context: PolicyContext) => void;

/** The edits of both directions with one more; `known` is null until a policy adds the first. */
export function withEdit(
  known: readonly HeaderEdit[] | null,
  edit: readonly HeaderEdit[],
): readonly HeaderEdit[] {
  return known === null ? edit : [...known, ...edit];
}

/** Applies the edits in the order of the pipeline. */
export function applyEdits(
  edits: readonly HeaderEdit[] | null,
  headers: string[],
  context: PolicyContext,
): void {
  if (edits !== null) for (const edit of edits) edit(headers, context);
}
