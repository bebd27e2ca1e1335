/** The names of API keys, for screens that tell of keys by their identifiers. */
import { manages } from './session.ts';
import { useRead } from './use-read.ts';

/** As many as a list answers at once: those that were used last are the ones that are told of. */
const QUERY = { limit: 100, sort: '-lastUsedAt' };

/** By identifier; none where the reader may not see keys, and until they came. `isWanted`: whether to ask at all. */
export function useKeyNames(isWanted: boolean): ReadonlyMap<string, string> {
  const isAsked = isWanted && manages.value;
  const read = useRead<{ readonly data: readonly { readonly id: string; readonly name: string }[] }>(
    isAsked ? { path: '/v1/api-keys', query: QUERY } : null,
    { isKept: true },
  );
  return new Map((read.data?.data ?? []).map(({ id, name }) => [id, name]));
}
