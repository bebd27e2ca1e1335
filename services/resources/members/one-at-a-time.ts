/** Runs work of one organization one after the other, so that this process does not race itself. */

/** Runs `work` once everything before it of the same `organizationId` has ended, however it ended. */
export type OneAtATime = <T>(organizationId: string, work: () => Promise<T>) => Promise<T>;

/** Within this process; what must hold over processes is seen to by compare-and-set (`departing-member.ts`). */
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
