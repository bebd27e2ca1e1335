/** Whom a rule admits beyond another, and the warnings of a configuration that is looser than the shipped one. */
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect } from 'chai';
import { PACKAGE_ROOT } from '../../../config/settings.ts';
import { formatFault } from '../../../gateway/configuration/faults.ts';
import { loadConfiguration } from '../../../gateway/configuration/load-configuration.ts';
import { admittedBeyond, type Rule } from '../../../gateway/configuration/warn-of-looser-rules.ts';
import {
  configurationVariables,
  UNSTARTED_SERVICE_URLS,
} from '../../../gateway/process/reload/configuration-variables.ts';

const rule = (own: Partial<Rule>): Rule => ({ access: 'scoped', scopes: [], roles: [], ...own });
const READ = rule({ scopes: ['read:data'] });
const LINKS = rule({ scopes: ['read:data'], scopesUnder: { link_id: ['read:links'] } });
const ADMINS = rule({ access: 'session', roles: ['owner', 'admin'] });
const ANYBODY = rule({ access: 'public' });
const KEYLESS = rule({ access: 'keyless', scopes: ['track:events'] });

describe('what a rule admits beyond another', () => {
  const cases: readonly (readonly [Rule, Rule, readonly string[]])[] = [
    [READ, READ, []],
    [rule({ scopes: ['read:data', 'read:links'] }), READ, []],
    [READ, rule({ scopes: ['read:data', 'read:links'] }), ['keys with read:data']],
    [rule({ scopes: ['manage:config'] }), READ, ['keys with manage:config']],
    [READ, rule({ scopes: ['manage:config'] }), ['keys with read:data', 'sessions of member, viewer']],
    [LINKS, READ, ['keys with read:links']],
    [READ, LINKS, []],
    [READ, ADMINS, ['keys with read:data', 'sessions of member, viewer']],
    [ADMINS, READ, []],
    [rule({ access: 'session', roles: ['viewer'] }), ADMINS, ['sessions of viewer']],
    [ANYBODY, READ, ['anybody', 'every key']],
    [ANYBODY, ADMINS, ['anybody', 'every key', 'sessions of member, viewer']],
    [READ, ANYBODY, []],
    [KEYLESS, rule({ scopes: ['track:events'] }), ['anybody']],
    [rule({ scopes: ['track:events'] }), KEYLESS, []],
    [rule({ access: 'optional' }), ANYBODY, []],
  ];
  for (const [one, other, admitted] of cases) {
    it(`${JSON.stringify(one)} before ${JSON.stringify(other)}: ${admitted.join(', ') || 'nobody'}`, () => {
      expect(admittedBeyond(one, other)).to.deep.equal(admitted);
    });
  }
});

describe('the check of a configuration that is looser than the shipped one', () => {
  let directory = '';
  beforeEach(() => {
    directory = mkdtempSync(path.join(tmpdir(), 'tidegate-looser-'));
    cpSync(path.join(PACKAGE_ROOT, 'config'), directory, { recursive: true });
  });
  afterEach(() => rmSync(directory, { recursive: true, force: true }));

  async function warningsWith(...edits: readonly (readonly [string, string])[]): Promise<string[]> {
    const file = path.join(directory, 'gateway.config.yml');
    for (const [from, to] of edits) {
      const text = readFileSync(file, 'utf8');
      expect(text).to.include(from);
      writeFileSync(file, text.replace(from, to));
    }
    const { warnings } = await loadConfiguration(directory, configurationVariables(UNSTARTED_SERVICE_URLS));
    return warnings.map((warning) => formatFault(warning).replace(/^[^ ]+ /, ''));
  }

  it('names the routes, and whom they are opened to', async () => {
    expect(
      await warningsWith(
        [
          '"/v1/links/:id"]\n    methods: GET\n    scopes: [read:links]',
          '"/v1/links/:id"]\n    methods: GET\n    scopes: [read:data]',
        ],
        ['methods: POST\n    scopes: [manage:websites]', 'methods: POST\n    access: public'],
        [
          'paths: /v1/audit\n    methods: GET\n    access: session\n    roles: [owner, admin]',
          'paths: /v1/audit\n    methods: GET\n    access: session\n    roles: [owner, admin, member]',
        ],
      ),
    ).to.deep.equal([
      'apiEndpoints.website-create: opens POST /v1/websites to anybody, every key, sessions of viewer, whom the shipped configuration refuses',
      'apiEndpoints.links-read: opens GET /v1/links, GET /v1/links/:id to keys with read:data, whom the shipped configuration refuses',
      'apiEndpoints.audit: opens GET /v1/audit to sessions of member, whom the shipped configuration refuses',
    ]);
  });

  it('says nothing of one that is as tight, or tighter', async () => {
    expect(await warningsWith()).to.deep.equal([]);
    expect(
      await warningsWith(
        ['methods: GET\n    scopes: [read:links]', 'methods: GET\n    scopes: [read:links, read:data]'],
        [
          'methods: PATCH\n    access: session\n    roles: [owner, admin, member, viewer]',
          'methods: PATCH\n    access: session\n    roles: [owner]',
        ],
      ),
    ).to.deep.equal([]);
  });
});
