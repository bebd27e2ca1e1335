/** Charges when work is over: a fault of the counters is logged, and reaches nobody else. */
import { expect } from 'chai';
import type { GatewayRuntime } from '../../../plugins/kit/runtime.ts';
import { createChargeAfterwards } from '../../../plugins/rate-limit/charge-afterwards.ts';
import type { LimitUse } from '../../../services/shared/ports/counter-store.ts';
import { eventually } from '../../support/eventually.ts';
import { createLogWatch } from '../../support/log-watch.ts';

const USE: LimitUse = {
  ...{ name: 'seconds', limit: 10, windowMs: 60_000, cost: 0, needs: 1 },
  ...{ algorithm: 'fixed', onStoreFailure: 'closed' },
};

describe('chargeAfterwards', () => {
  it('survives counters that throw at once', async () => {
    const { logger, lines } = createLogWatch();
    const counters = {
      charge() {
        throw new Error('no file');
      },
    };
    const charge = createChargeAfterwards({ counters, logger } as unknown as GatewayRuntime);
    expect(() => charge({ subject: 'organization:a', uses: [USE] }, 2_000)).not.to.throw();
    await eventually(() => lines.join()).satisfies((text) => expect(text).to.contain('could not be charged'));
  });
});
