/** Files that no segment set names: of changes that ended early, and those that merges replaced. */
import type { BuildKit } from './build-kit.ts';

/** Files per command. */
const AT_ONCE = 100;

/**
 * Removes what no set names, of uploads that began before the instant `before`, in epoch milliseconds: long enough ago
 * for whoever made a file to have named it, and for readers of replaced ones to have ended. Their number.
 */
export async function removeGarbage(kit: BuildKit, before: number, signal?: AbortSignal): Promise<number> {
  const old = new Set<string>();
  for await (const { id, at } of kit.ports.files.list(signal)) if (at < before) old.add(id);
  // The sets after the files: what was named since is named here.
  if (old.size > 0) {
    for await (const { state } of kit.ports.sets.list()) {
      for (const { id } of [...state.segments, ...(state.rebuild?.segments ?? [])]) old.delete(id);
    }
  }
  const unnamed = [...old];
  for (let from = 0; from < unnamed.length; from += AT_ONCE) {
    signal?.throwIfAborted();
    await kit.ports.files.remove(unnamed.slice(from, from + AT_ONCE));
  }
  return unnamed.length;
}
