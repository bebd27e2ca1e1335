/** The options of `npm run bench`. */
import { expect } from 'chai';
import { UsageError } from '../bench-options.ts';
import { readPerformanceOptions } from './options.ts';

describe('the options of the bench of performance', () => {
  it('measure every part into docs, unless they say otherwise', () => {
    const { parts, quick, events, minutes, to } = readPerformanceOptions([]);
    expect({ parts, quick, events, minutes, to }).to.deep.equal({
      ...{ parts: ['gateway', 'growth', 'query', 'ingest'], quick: false, events: [100_000, 1_000_000] },
      ...{ minutes: 20, to: 'docs' },
    });
    expect(readPerformanceOptions(['--only', 'ingest,gateway']).parts).to.deep.equal(['gateway', 'ingest']);
  });

  it('keep small counts out of docs', () => {
    expect(readPerformanceOptions(['--quick'])).to.include({ quick: true, to: null });
    expect(readPerformanceOptions(['--quick', '--to', 'docs']).to).to.equal('docs');
  });

  it('name every fault at once', () => {
    const faults = () =>
      readPerformanceOptions(['--only', 'links', '--events', '5,1000000', '--minutes', '0']);
    expect(faults).to.throw(UsageError, /--only: "links".*\n.*--minutes: "0"|--events: "5"/s);
    expect(() => readPerformanceOptions(['--fast'])).to.throw(UsageError, '--fast');
  });
});
