/** The curl line beside a new key: it fits the key's scopes and websites, reads where it can, and a shell takes it as it stands. */
import { execFileSync } from 'node:child_process';
import { expect } from 'chai';
import { curlLine } from '../../../../../../services/dashboard/client/screens/keys/curl-line.ts';
import type { Scope } from '../../../../../../services/shared/access/scopes.ts';

const GLOBAL = { level: 'global' } as const;
const SOME = { level: 'website' as const, websiteIds: ['web_a', 'web_b'] };

function line(scopes: readonly Scope[], access: typeof GLOBAL | typeof SOME = GLOBAL, websiteId?: string) {
  return curlLine({ origin: 'https://gate.example', secret: 'tg_s', scopes, access, websiteId });
}

describe('the curl line beside a new key', () => {
  const HEADER = "-H 'x-api-key: tg_s'";
  const JSON_TYPE = "-H 'content-type: application/json'";

  it('reads where the key may read', () => {
    const read = `curl -sS 'https://gate.example/v1/query/websites' ${HEADER}`;
    expect(line(['track:events', 'read:data'])).to.deep.equal({ text: read, leaves: 'nothing' });
    expect(line(['write:links', 'read:links'])?.text).to.equal(
      `curl -sS 'https://gate.example/v1/links' ${HEADER}`,
    );
    expect(line(['manage:flags', 'track:events'])?.text).to.include('/v1/flags');
    expect(line(['manage:config'])?.text).to.include('/v1/organization');
  });

  it('says what it leaves behind where it must write', () => {
    expect(line(['track:events'])).to.deep.equal({
      text: `curl -sS 'https://gate.example/track' ${HEADER} ${JSON_TYPE} -d '{"name":"key_stored"}'`,
      leaves: 'event',
    });
    expect(line(['track:events'], SOME, 'web_a')?.text).to.include('"websiteId":"web_a"');
    expect(line(['write:links'])?.leaves).to.equal('link');
    expect(line(['manage:websites'], GLOBAL, 'web_a')).to.deep.equal({
      text: `curl -sS -X PATCH 'https://gate.example/v1/websites/web_a' ${HEADER} ${JSON_TYPE} -d '{}'`,
      leaves: 'nothing',
    });
  });

  it('is none where the scopes open nothing for these websites', () => {
    expect(line(['manage:config'], SOME, 'web_a')).to.equal(null);
    expect(line(['manage:websites'])).to.equal(null);
    expect(line(['manage:config', 'track:events'], SOME, 'web_a')?.leaves).to.equal('event');
  });

  it('is one call to a shell, whatever stands in its parts', () => {
    const secret = `a'b"c$(id)\`id\`\\`;
    const text = curlLine({
      origin: "http://x'y",
      secret,
      scopes: ['read:data'],
      access: GLOBAL,
      websiteId: '',
    });
    const printed = execFileSync('sh', ['-c', (text?.text ?? '').replace('curl -sS', "printf '%s\\n'")]);
    expect(printed.toString().split('\n')).to.deep.equal([
      "http://x'y/v1/query/websites",
      '-H',
      `x-api-key: ${secret}`,
      '',
    ]);
  });
});
