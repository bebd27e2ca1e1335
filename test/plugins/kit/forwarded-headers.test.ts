/** Which headers pass, however many names came before. */
import type { IncomingMessage } from 'node:http';
import { expect } from 'chai';
import { createForwardedHeaders } from '../../../plugins/kit/forwarded-headers.ts';

const SENT = [
  'X-Own',
  '1',
  'Connection',
  'keep-alive',
  'X_API_KEY',
  'k',
  'X-Gateway-Identity',
  'i',
  'accept',
  '*/*',
];
const PASSED = ['X-Own', '1', 'accept', '*/*'];

describe('the headers that pass', () => {
  it('are the same before and after thousands of other names', () => {
    const forwarded = createForwardedHeaders(() => false);
    const passed = (rawHeaders: string[]): string[] =>
      forwarded.request({ rawHeaders, headers: {} } as IncomingMessage, false);
    expect(passed(SENT)).to.deep.equal(PASSED);
    for (let number = 0; number < 5_000; number++) {
      const other = `x-other-${number}`;
      expect(passed([other, 'o'])).to.deep.equal([other, 'o']);
      expect(forwarded.responseName(other)).to.equal(true);
      if (number % 100 === 0) expect(passed(SENT), `after ${number}`).to.deep.equal(PASSED);
    }
    expect(passed(SENT)).to.deep.equal(PASSED);
    expect(forwarded.responseName('Transfer-Encoding')).to.equal(false);
  });
});
