/** The forms of REDIS_URL and its certificates: each read as it stands, each fault told, no password ever shown. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { loadSettings, SettingsError } from '../../../../../config/settings.ts';
import { REDIS_FORMS } from '../../../../../services/shared/storage/redis/redis-address.ts';
import { makeAuthority, missingOpenssl } from '../../../../support/certificates.ts';

/** What stands in every faulty address that may hold a password. */
const SECRET = 'hunter2';

const LOGIN = { username: null, password: null, tls: null };
const TLS = { ca: null, cert: null, key: null };
const SENTINEL = { sentinelUsername: null, sentinelPassword: null };

const GOOD: Readonly<Record<string, object>> = {
  'redis://127.0.0.1': { form: 'single', hosts: [{ host: '127.0.0.1', port: 6379 }], ...LOGIN, database: 0 },
  'redis://cache.example.com:7000/': {
    form: 'single',
    hosts: [{ host: 'cache.example.com', port: 7000 }],
    ...LOGIN,
    database: 0,
  },
  'rediss://gateway:p%40ss%3A%2F@[::1]:6380/3': {
    form: 'single',
    hosts: [{ host: '::1', port: 6380 }],
    username: 'gateway',
    password: 'p@ss:/',
    tls: TLS,
    database: 3,
  },
  'redis://:pass@redis_1:6379': {
    form: 'single',
    hosts: [{ host: 'redis_1', port: 6379 }],
    ...LOGIN,
    password: 'pass',
    database: 0,
  },
  'redis-sentinel://one,two:26380/counters': {
    form: 'sentinel',
    hosts: [
      { host: 'one', port: 26379 },
      { host: 'two', port: 26380 },
    ],
    ...LOGIN,
    ...SENTINEL,
    master: 'counters',
  },
  'rediss-sentinel://u:p@one:1/m?sentinelUser=s&sentinelPassword=q%26r': {
    form: 'sentinel',
    hosts: [{ host: 'one', port: 1 }],
    username: 'u',
    password: 'p',
    tls: TLS,
    master: 'm',
    sentinelUsername: 's',
    sentinelPassword: 'q&r',
  },
  'redis-cluster://a:1,b:2,c': {
    form: 'cluster',
    hosts: [
      { host: 'a', port: 1 },
      { host: 'b', port: 2 },
      { host: 'c', port: 6379 },
    ],
    ...LOGIN,
  },
  'rediss-cluster://u:p@a/': {
    form: 'cluster',
    hosts: [{ host: 'a', port: 6379 }],
    username: 'u',
    password: 'p',
    tls: TLS,
  },
};

const BAD: Readonly<Record<string, string>> = {
  'http://h': REDIS_FORMS,
  'redis:/h': REDIS_FORMS,
  'redis://': REDIS_FORMS,
  'redis:///0': REDIS_FORMS,
  'redis-sentinels://h/m': REDIS_FORMS,
  [`redis://u:${SECRET}@x@h`]: 'percent-encoded',
  [`redis://u:${SECRET}/x@h`]: 'percent-encoded',
  [`redis://u:${SECRET}#x@h`]: 'percent-encoded',
  [`redis://${SECRET}@h`]: 'user:password@ or :password@',
  [`redis://u:${SECRET}:x@h`]: 'user:password@ or :password@',
  'redis://u:@h': 'user:password@ or :password@',
  [`redis://u:${SECRET}%@h`]: 'two hexadecimal digits',
  [`redis://u:${SECRET}@h,i`]: 'one host',
  [`redis://u:${SECRET}@h:0`]: 'ports from 1 to 65535',
  'redis://h:65536': 'ports from 1 to 65535',
  'redis://h:port': 'name its hosts',
  'redis://-h': 'name its hosts',
  'redis://[1::2::3]': 'name its hosts',
  'redis://h/name': 'database by its number',
  'redis://h/0/1': 'database by its number',
  [`redis://h?password=${SECRET}`]: 'no options',
  'redis-cluster://a,,b': 'name its hosts',
  'redis-cluster://a,b/1': 'database 0 alone',
  'redis-cluster://a?x=1': 'no options',
  'redis-sentinel://a,b': 'name the master',
  'redis-sentinel://a,b/': 'name the master',
  'redis-sentinel://a/m/0': 'name the master',
  [`redis-sentinel://a/m?password=${SECRET}`]: 'sentinelUser and sentinelPassword',
  [`redis-sentinel://a/m?sentinelPassword=${SECRET}&sentinelPassword=x`]: 'each once',
  'redis-sentinel://a/m?sentinelPassword=': 'sentinelPassword a value',
  'redis-sentinel://a/m?sentinelUser=u': 'sentinelPassword a value',
};

function faultsOf(environment: Readonly<Record<string, string>>): readonly string[] {
  try {
    loadSettings(environment);
  } catch (fault) {
    if (fault instanceof SettingsError) return fault.faults;
    throw fault;
  }
  return [];
}

describe('REDIS_URL', () => {
  it('is absent where it is empty', () => {
    expect(loadSettings({}).redis).to.equal(null);
    expect(loadSettings({ REDIS_URL: '' }).redis).to.equal(null);
  });

  for (const [text, address] of Object.entries(GOOD)) {
    it(`takes ${text}`, () => {
      expect(loadSettings({ REDIS_URL: text }).redis).to.deep.equal(address);
    });
  }

  for (const [text, reason] of Object.entries(BAD)) {
    it(`refuses ${text} and says why, without showing it`, () => {
      const faults = faultsOf({ REDIS_URL: text });
      expect(faults).to.have.length(1);
      expect(faults[0]).to.match(/^REDIS_URL=\(not shown\): must|^REDIS_URL=\(not shown\): may/);
      expect(faults[0]).to.contain(reason).and.not.contain(SECRET);
    });
  }
});

describe('the certificates of Redis', () => {
  let folder: string;
  let ca: string;
  let key: string;

  before(function () {
    folder = mkdtempSync(join(tmpdir(), 'tidegate-pem-'));
    const reason = missingOpenssl();
    if (reason !== null) {
      process.stderr.write(`      ${reason}\n`);
      this.skip();
    }
    ({ cert: ca, key } = makeAuthority(folder, 'ca'));
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  it('are read at the start, for every form with TLS', () => {
    for (const url of ['rediss://h', 'rediss-sentinel://h/m', 'rediss-cluster://h']) {
      const { redis } = loadSettings({
        REDIS_URL: url,
        REDIS_TLS_CA: ca,
        REDIS_TLS_CERT: ca,
        REDIS_TLS_KEY: key,
      });
      expect(Object.values(redis?.tls ?? {}).map((text) => text?.slice(0, 11))).to.deep.equal(
        Array(3).fill('-----BEGIN '),
      );
    }
  });

  it('are refused where they cannot serve', () => {
    const REDIS_URL = 'rediss://h';
    const noPem = join(folder, 'no.pem');
    writeFileSync(noPem, SECRET);
    const cut = join(folder, 'cut.pem');
    writeFileSync(cut, `-----BEGIN PRIVATE KEY-----\n${SECRET}\n-----END PRIVATE KEY-----\n`);
    const cases: readonly (readonly [Readonly<Record<string, string>>, string])[] = [
      [{ REDIS_URL, REDIS_TLS_CA: join(folder, 'none.pem') }, 'that can be read: ENOENT'],
      [{ REDIS_URL, REDIS_TLS_CA: noPem }, 'must name a PEM file'],
      [{ REDIS_URL, REDIS_TLS_CERT: ca }, 'given together'],
      [{ REDIS_URL, REDIS_TLS_KEY: key }, 'given together'],
      [{ REDIS_URL, REDIS_TLS_CERT: ca, REDIS_TLS_KEY: cut }, 'REDIS_TLS_KEY: '],
      [{ REDIS_URL: 'redis://h', REDIS_TLS_CA: ca }, 'begins with rediss'],
      [{ REDIS_TLS_CA: ca }, 'begins with rediss'],
    ];
    for (const [environment, reason] of cases) {
      const faults = faultsOf(environment);
      expect(faults, reason).to.have.length(1);
      expect(faults[0]).to.contain(reason).and.not.contain(SECRET);
    }
  });
});
