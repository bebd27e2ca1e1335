/** Browser, system and device by user agent and client hints. */
import { expect } from 'chai';
import type { Device } from '../../../../services/tracking/client/client-traits.ts';
import { createReadAgent } from '../../../../services/tracking/client/read-agent.ts';

type Told = [
  browser: string | null,
  version: string | null,
  system: string | null,
  version: string | null,
  device: string | null,
];

const WINDOWS =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/124.0.0.0 Safari/537.36';
const MAC =
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/124.0.0.0 Safari/537.36';
const LINUX =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/124.0.0.0 Safari/537.36';
const ANDROID =
  'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/124.0.0.0 Mobile Safari/537.36';
const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_4_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)';

const BY_USER_AGENT: [string, Told][] = [
  [WINDOWS, ['Chrome', '124.0.0.0', 'Windows', '10', 'desktop']],
  [MAC, ['Chrome', '124.0.0.0', 'macOS', '10.15.7', 'desktop']],
  [LINUX, ['Chrome', '124.0.0.0', 'Linux', null, 'desktop']],
  [LINUX.replace('Chrome/', 'HeadlessChrome/'), ['Chrome', '124.0.0.0', 'Linux', null, 'desktop']],
  [
    'Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/124.0.0.0 Safari/537.36',
    ['Chrome', '124.0.0.0', 'Chrome OS', null, 'desktop'],
  ],
  [`${WINDOWS} Edg/124.0.2478.51`, ['Microsoft Edge', '124.0.2478.51', 'Windows', '10', 'desktop']],
  [`${WINDOWS} OPR/109.0.0.0`, ['Opera', '109.0.0.0', 'Windows', '10', 'desktop']],
  [`${MAC} Vivaldi/6.7`, ['Vivaldi', '6.7', 'macOS', '10.15.7', 'desktop']],
  [
    'Mozilla/5.0 (Windows NT 6.1; WOW64; Trident/7.0; rv:11.0) like Gecko',
    ['Internet Explorer', '11.0', 'Windows', '7', 'desktop'],
  ],
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:125.0) Gecko/20100101 Firefox/125.0',
    ['Firefox', '125.0', 'Windows', '10', 'desktop'],
  ],
  [
    'Mozilla/5.0 (X11; Ubuntu; Linux x86_64; rv:125.0) Gecko/20100101 Firefox/125.0',
    ['Firefox', '125.0', 'Linux', null, 'desktop'],
  ],
  [
    'Mozilla/5.0 (Android 14; Mobile; rv:125.0) Gecko/125.0 Firefox/125.0',
    ['Firefox', '125.0', 'Android', '14', 'mobile'],
  ],
  [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.4.1 Safari/605.1.15',
    ['Safari', '17.4.1', 'macOS', '10.15.7', 'desktop'],
  ],
  [`${IPHONE} Version/17.4.1 Mobile/15E148 Safari/604.1`, ['Safari', '17.4.1', 'iOS', '17.4.1', 'mobile']],
  [
    `${IPHONE} CriOS/124.0.6367.88 Mobile/15E148 Safari/604.1`,
    ['Chrome', '124.0.6367.88', 'iOS', '17.4.1', 'mobile'],
  ],
  [`${IPHONE} FxiOS/125.0 Mobile/15E148 Safari/605.1.15`, ['Firefox', '125.0', 'iOS', '17.4.1', 'mobile']],
  [
    'Mozilla/5.0 (iPad; CPU OS 16_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/16.6 Mobile/15E148 Safari/604.1',
    ['Safari', '16.6', 'iOS', '16.6', 'tablet'],
  ],
  [ANDROID, ['Chrome', '124.0.0.0', 'Android', '10', 'mobile']],
  [ANDROID.replace('Mobile ', ''), ['Chrome', '124.0.0.0', 'Android', '10', 'tablet']],
  [
    'Mozilla/5.0 (Linux; Android 14; SM-S918B) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/24.0 Chrome/117.0.0.0 Mobile Safari/537.36',
    ['Samsung Internet for Android', '24.0', 'Android', '14', 'mobile'],
  ],
  [
    'Mozilla/5.0 (Web0S; Linux/SmartTV) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/87.0.4280.88 Safari/537.36 WebAppManager',
    ['WebOS Browser', null, 'WebOS', null, 'tv'],
  ],
  ['curl/8.4.0', [null, null, null, null, null]],
  ['node', [null, null, null, null, null]],
  ['shop-server/1.2 (production)', [null, null, null, null, null]],
  ['Apache-HttpClient/4.5.13 (Java/11.0.20)', [null, null, null, null, null]],
  ['', [null, null, null, null, null]],
  [' ', [null, null, null, null, null]],
];

const FULL_VERSIONS =
  '"Chromium";v="124.0.6367.91", "Google Chrome";v="124.0.6367.91", "Not-A.Brand";v="99.0.0.0"';
const MAJOR_VERSIONS = '"Chromium";v="124", "Google Chrome";v="124", "Not-A.Brand";v="99"';

const BY_HINTS: [string, string, Record<string, string>, Told][] = [
  [
    'says the same where the hints say no more',
    WINDOWS,
    { 'sec-ch-ua': MAJOR_VERSIONS, 'sec-ch-ua-mobile': '?0', 'sec-ch-ua-platform': '"Windows"' },
    ['Chrome', '124.0.0.0', 'Windows', '10', 'desktop'],
  ],
  [
    'takes the full version',
    WINDOWS,
    { 'sec-ch-ua': MAJOR_VERSIONS, 'sec-ch-ua-full-version-list': FULL_VERSIONS },
    ['Chrome', '124.0.6367.91', 'Windows', '10', 'desktop'],
  ],
  [
    'tells Brave by its brand',
    WINDOWS,
    { 'sec-ch-ua': '"Brave";v="124", "Chromium";v="124"' },
    ['Brave', '124', 'Windows', '10', 'desktop'],
  ],
  [
    'tells Windows 11',
    WINDOWS,
    { 'sec-ch-ua-platform': '"Windows"', 'sec-ch-ua-platform-version': '"15.0.0"' },
    ['Chrome', '124.0.0.0', 'Windows', '11', 'desktop'],
  ],
  [
    'tells Windows 10',
    WINDOWS,
    { 'sec-ch-ua-platform': '"Windows"', 'sec-ch-ua-platform-version': '"10.0.0"' },
    ['Chrome', '124.0.0.0', 'Windows', '10', 'desktop'],
  ],
  [
    'keeps older Windows',
    WINDOWS.replace('10.0', '6.3'),
    { 'sec-ch-ua-platform': '"Windows"', 'sec-ch-ua-platform-version': '"0.3.0"' },
    ['Chrome', '124.0.0.0', 'Windows', '8.1', 'desktop'],
  ],
  [
    'takes the version of macOS',
    MAC,
    { 'sec-ch-ua-platform': '"macOS"', 'sec-ch-ua-platform-version': '"14.4.1"' },
    ['Chrome', '124.0.0.0', 'macOS', '14.4.1', 'desktop'],
  ],
  [
    'takes the version of Android',
    ANDROID,
    { 'sec-ch-ua-platform': '"Android"', 'sec-ch-ua-mobile': '?1', 'sec-ch-ua-platform-version': '"14.0.0"' },
    ['Chrome', '124.0.0.0', 'Android', '14', 'mobile'],
  ],
  [
    'sees Android behind a site asked for as on a desktop',
    LINUX,
    { 'sec-ch-ua-platform': '"Android"', 'sec-ch-ua-mobile': '?0' },
    ['Chrome', '124.0.0.0', 'Android', null, 'tablet'],
  ],
  [
    'calls Chromium OS Chrome OS',
    LINUX,
    { 'sec-ch-ua-platform': '"Chromium OS"' },
    ['Chrome', '124.0.0.0', 'Chrome OS', null, 'desktop'],
  ],
  [
    'leaves out hints that are malformed',
    MAC,
    {
      'sec-ch-ua': '"""";;v=,',
      'sec-ch-ua-mobile': 'yes',
      'sec-ch-ua-platform': '<script>',
      'sec-ch-ua-platform-version': '"1.x"',
    },
    ['Chrome', '124.0.0.0', 'macOS', '10.15.7', 'desktop'],
  ],
  [
    'leaves out a platform it does not know',
    MAC,
    { 'sec-ch-ua-platform': '"__proto__"', 'sec-ch-ua-platform-version': '"7"' },
    ['Chrome', '124.0.0.0', 'macOS', '10.15.7', 'desktop'],
  ],
];

function told(device: Device): Told {
  return [device.browser_name, device.browser_version, device.os_name, device.os_version, device.device_type];
}

describe('The device of a client', () => {
  const readAgent = createReadAgent();

  for (const [userAgent, expected] of BY_USER_AGENT) {
    it(`is ${expected.map((each) => each ?? '–').join(', ')} for ${JSON.stringify(userAgent)}`, () => {
      const agent = readAgent({ 'user-agent': userAgent });
      expect(told(agent.device)).to.deep.equal(expected);
      expect(agent.isCrawler).to.equal(false);
    });
  }

  for (const [name, userAgent, hints, expected] of BY_HINTS) {
    it(`${name} (client hints)`, () => {
      expect(told(readAgent({ 'user-agent': userAgent, ...hints }).device)).to.deep.equal(expected);
    });
  }

  it('is none without any header, and none of a crawler', () => {
    expect(told(readAgent({}).device)).to.deep.equal([null, null, null, null, null]);
    const crawler = readAgent({
      'user-agent': `${ANDROID} (compatible; Googlebot/2.1; +http://www.google.com/bot.html)`,
    });
    expect(crawler.isCrawler).to.equal(true);
    expect(told(crawler.device)).to.deep.equal([null, null, null, null, null]);
  });

  it('is judged by the first 512 characters of an overlong user agent', () => {
    expect(told(readAgent({ 'user-agent': `${WINDOWS} ${'x'.repeat(60_000)}` }).device)).to.deep.equal(
      told(readAgent({ 'user-agent': WINDOWS }).device),
    );
  });

  it('is worked out once for each text', () => {
    const headers = { 'user-agent': MAC, 'sec-ch-ua': MAJOR_VERSIONS };
    expect(readAgent({ ...headers })).to.equal(readAgent({ ...headers }));
    expect(readAgent({ ...headers, 'sec-ch-ua-mobile': '?1' })).not.to.equal(readAgent(headers));
  });
});
