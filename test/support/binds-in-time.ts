/** Waits until a revocation binds, and holds it to its time. */
import { expect } from 'chai';

/** Within what a revocation binds on every gateway process, in milliseconds (contract.md section 3). */
const BINDS_MS = 5_000;

/** Asks until the status is 401, of what was revoked at `sinceMs` by `performance.now()`; later than in time nothing else may come. */
export async function bindsInTime(sinceMs: number, status: () => Promise<number>): Promise<void> {
  for (;;) {
    const askedMs = performance.now();
    if ((await status()) === 401) return;
    expect(askedMs - sinceMs).to.be.below(BINDS_MS);
  }
}
