/** The parts of a process close one after another, whatever one of them does. */
import { expect } from 'chai';
import { allOrNothing } from '../../../gateway/process/all-or-nothing.ts';
import { createLogWatch } from '../../support/log-watch.ts';

describe('all or nothing', () => {
  const faulty = [
    [
      'throws',
      () => {
        throw new Error('thrown');
      },
    ],
    ['rejects', () => Promise.reject(new Error('rejected'))],
  ] as const;
  for (const [what, closer] of faulty) {
    it(`closes the others where a part ${what}, and logs it`, async () => {
      const { logger, lines } = createLogWatch();
      const closed: string[] = [];
      const { close } = await allOrNothing(logger, async (closers) => {
        closers.push(
          async () => closed.push('first'),
          closer,
          async () => closed.push('last'),
        );
        return {};
      });
      await close();
      expect(closed).to.deep.equal(['last', 'first']);
      expect(lines.filter((line) => line.includes('a part did not close'))).to.have.length(1);
    });
  }

  it('closes what had begun where the start fails, and tells why it failed', async () => {
    const closed: string[] = [];
    const fault = await allOrNothing(createLogWatch().logger, async (closers) => {
      closers.push(async () => closed.push('begun'));
      throw new Error('no start');
    }).catch((thrown: Error) => thrown.message);
    expect([fault, closed]).to.deep.equal(['no start', ['begun']]);
  });
});
