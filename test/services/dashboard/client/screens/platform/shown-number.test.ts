/** Numbers of the platform: what is little is not shown as nothing, and no address is shown that nobody can ask. */
import { expect } from 'chai';
import { UNSTARTED_SERVICE_URLS } from '../../../../../../gateway/process/reload/configuration-variables.ts';
import {
  isInProcess,
  shownNumber,
} from '../../../../../../services/dashboard/client/screens/platform/shown-number.ts';

describe('a number of the platform', () => {
  it('has one decimal, and is never 0 of something', () => {
    const shown: readonly [number | null, ReturnType<typeof shownNumber>][] = [
      [null, null],
      [0, 0],
      [0.0004, 'little'],
      [0.049, 'little'],
      [0.05, 0.1],
      [0.14, 0.1],
      [12.34, 12.3],
    ];
    for (const [value, text] of shown) expect(shownNumber(value), `${value}`).to.equal(text);
  });
});

describe('the address of a backend', () => {
  it('is the process itself where the gateway calls it, and else an address', () => {
    expect(Object.values(UNSTARTED_SERVICE_URLS).filter((url) => !isInProcess(url))).to.deep.equal([]);
    for (const url of ['http://tracking.invalid.example.com', 'http://10.0.0.1:4001', 'https://a.invalid']) {
      expect(isInProcess(url), url).to.equal(false);
    }
  });
});
