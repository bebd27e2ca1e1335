/** Texts that hold secrets: what is hidden in values, and in every part of a fault that a log prints. */
import { expect } from 'chai';
import { SecretTexts } from '../../../gateway/configuration/secret-texts.ts';
import { createLogWatch } from '../../support/log-watch.ts';

const SECRET = 'word-of-the-orders-team';

function secretsOf(...texts: readonly string[]): SecretTexts {
  const secrets = new SecretTexts();
  for (const text of texts) secrets.add(text);
  return secrets;
}

/** What a log says of a fault. */
function logged(fault: unknown): string {
  const { logger, lines } = createLogWatch();
  logger.error({ err: fault });
  return lines.join();
}

describe('texts of secrets', () => {
  it('are hidden as numbers too, where a schema made one of them', () => {
    const secrets = secretsOf('90210', '007', '12.50');
    expect(secrets.conceal({ a: 90210, b: [7, 12.5], c: 9021, d: '90210' })).to.deep.equal({
      a: '[secret]',
      b: ['[secret]', '[secret]'],
      c: 9021,
      d: '[secret]',
    });
  });

  describe('in a fault', () => {
    const secrets = secretsOf(SECRET);
    const faults: Readonly<Record<string, () => unknown>> = {
      'its message and stack': () => new Error(`no ${SECRET}`),
      'its cause': () => new Error('outer', { cause: new Error(`no ${SECRET}`) }),
      'the cause of its cause': () =>
        new Error('outer', { cause: new Error('inner', { cause: new Error(`no ${SECRET}`) }) }),
      'a cause that is no error': () => new Error('outer', { cause: { message: `no ${SECRET}` } }),
      'the faults that it gathers': () =>
        new AggregateError([new Error('one'), new Error('two', { cause: new Error(`no ${SECRET}`) })], 'all'),
      'what else it holds': () => Object.assign(new TypeError('Invalid URL'), { input: `http://${SECRET}` }),
      'a message that it inherits': () => new DOMException(`no ${SECRET}`, 'DataError'),
      'a text that was thrown': () => `no ${SECRET}`,
    };
    for (const [name, make] of Object.entries(faults)) {
      it(`are hidden: ${name}`, () => {
        expect(logged(make())).to.include(SECRET);
        const shown = logged(secrets.concealIn(make()));
        expect(shown).to.include('[secret]').and.not.include(SECRET);
      });
    }

    it('leave the fault itself in place, and one that causes itself', () => {
      const fault: Error = new RangeError(`no ${SECRET}`);
      fault.cause = fault;
      expect(secrets.concealIn(fault)).to.equal(fault);
      expect(fault.message).to.equal('no [secret]');
      expect(fault.cause).to.equal(fault);
    });

    it('change nothing that it refers to, and a frozen one becomes another', () => {
      const params = { password: SECRET };
      const fault = secrets.concealIn(Object.assign(new Error('outer'), { params })) as { params: unknown };
      expect([params, fault.params]).to.deep.equal([{ password: SECRET }, { password: '[secret]' }]);
      const other = secrets.concealIn(Object.freeze(new Error(`no ${SECRET}`))) as Error;
      expect([other.message, other.stack?.includes(SECRET)]).to.deep.equal(['no [secret]', false]);
    });

    it('are left out below the causes that are followed', () => {
      let fault = new Error(`no ${SECRET}`);
      for (let depth = 0; depth < 50; depth++) fault = new Error('outer', { cause: fault });
      expect(logged(secrets.concealIn(fault))).to.not.include(SECRET);
    });
  });
});
