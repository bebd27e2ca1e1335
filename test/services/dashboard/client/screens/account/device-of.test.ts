/** Holds what a session's device is called. */
import { expect } from 'chai';
import { deviceOf, iconOf } from '../../../../../../services/dashboard/client/screens/account/device-of.ts';
import { en as account } from '../../../../../../services/dashboard/client/screens/account/texts-en.ts';

const AGENT = { browser: 'Firefox', os: 'Linux', deviceType: 'desktop' as const, text: 'Mozilla/5.0' };

describe('the device of a session', () => {
  it('is browser and system, as far as they are known', () => {
    expect(deviceOf(AGENT, account)).to.equal('Firefox on Linux');
    expect(deviceOf({ ...AGENT, os: null }, account)).to.equal('Firefox');
    expect(deviceOf({ ...AGENT, browser: null }, account)).to.equal('Linux');
  });

  it('is the start of what it said of itself otherwise, else unknown', () => {
    const text = `curl/8 ${'x'.repeat(500)}`;
    expect(deviceOf({ ...AGENT, browser: null, os: null, text }, account)).to.equal(text.slice(0, 80));
    expect(deviceOf({ ...AGENT, browser: null, os: null, text: '' }, account)).to.equal('Unknown device');
    expect(deviceOf(null, account)).to.equal('Unknown device');
  });

  it('has the icon of its kind', () => {
    expect(iconOf({ ...AGENT, deviceType: 'mobile' })).to.equal('smartphone');
    expect(iconOf({ ...AGENT, deviceType: 'tablet' })).to.equal('smartphone');
    expect(iconOf(AGENT)).to.equal('monitor');
    expect(iconOf(null)).to.equal('monitor');
  });
});
