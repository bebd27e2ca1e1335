/** Texts at and beyond every bound cost work in proportion to their length: pages of slashes, hosts of a thousand labels. */
import { expect } from 'chai';
import { putPage } from '../../../../services/tracking/record/put-page.ts';
import { putReferrer } from '../../../../services/tracking/record/put-referrer.ts';
import { groupOfHost } from '../../../../services/tracking/record/referrer-hosts.ts';
import { startCpuTime } from '../../../support/cpu-time.ts';

/** Far above what linear work takes, far below what quadratic work takes on a fast machine. */
const LONGEST_MS = 3_000;

function cpuTimeOf(work: () => void): number {
  const cpuMs = startCpuTime();
  work();
  return cpuMs();
}

const referrerOf = (referrer: string) => putReferrer({ referrer, utmSource: null, ownHosts: [] });
/** A host of `length` characters below `domain`. */
const hostOfLength = (length: number, domain: string) =>
  `${'a'.repeat(length - domain.length - 1)}.${domain}`;

describe('Long texts', () => {
  it('of slashes before the last character of a path are read once', () => {
    const path = `${'/'.repeat(300_000)}x`;
    expect(cpuTimeOf(() => expect(putPage(path).path).to.equal(path))).to.be.below(LONGEST_MS);
  });

  it('of slashes at the end of a path are dropped, but for the root', () => {
    expect(putPage(`/a//b${'/'.repeat(2_000)}`).path).to.equal('/a//b');
    expect([putPage('/').path, putPage('///').path, putPage('?a').path]).to.deep.equal(['/', '/', '/']);
  });

  it('of labels in a host are judged by their end', () => {
    const hosts = ['nowhere.example', 'mail.google.com'].map((domain) => `${'a.'.repeat(8_000)}${domain}`);
    const groups: string[] = [];
    const took = cpuTimeOf(() => {
      for (let i = 0; i < 100; i++) groups.push(...hosts.map(groupOfHost));
    });
    expect(groups.slice(0, 2)).to.deep.equal(['referral', 'email']);
    expect(took).to.be.below(LONGEST_MS);
  });

  it('are judged by the most specific host that is listed', () => {
    const groups = [
      'a.b.c.d.e.f.g.com.yahoo.mobile.client.android.mail',
      'com.yahoo.mobile.client.android.mail',
      'mail.yahoo.com',
      'de.search.yahoo.com',
      'mail.yahoo.com.example',
      'xyahoo.com',
      'com',
    ].map(groupOfHost);
    expect(groups).to.deep.equal(['email', 'email', 'email', 'search', 'referral', 'referral', 'referral']);
  });

  it('that are longer than the name of a host can be are none', () => {
    const longest = hostOfLength(253, 'bing.com');
    expect(referrerOf(`https://${longest}./`)).to.include({
      referrer_host: longest,
      referrer_group: 'search',
    });
    const beyond = `https://${hostOfLength(254, 'bing.com')}/page`;
    expect(referrerOf(beyond)).to.deep.equal({
      referrer: beyond,
      referrer_host: null,
      referrer_group: 'direct',
    });
    expect(putPage(beyond)).to.include({ hostname: null, path: '/page' });
  });
});
