/** Runs the work of each organization sequentially, so that this process does not race itself. */

/** Runs `work` once all earlier work of the same `organizationId` has ended, however it ended. */
export type OneAtATime = <T>(organizationId: string, work: () => Promise<T>) => Promise<T>;

/** Only within this process; compare-and-set protects across processes (`departing-member.ts`). */
export function createOneAtATime(): OneAtATime {
  const last = new Map<string, Promise<unknown>>();
  return async function oneAtATime(organizationId, work) {
    const before = last.get(organizationId) ?? Promise.resolve();
    const mine = before.then(work, work);
    last.set(organizationId, mine);
    try {
      return await mine;
    } finally {
      if (last.get(organizationId) === mine) last.delete(organizationId);
    }
  };
}
