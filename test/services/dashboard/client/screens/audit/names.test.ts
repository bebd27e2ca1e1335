/** Holds the words of the audit to every action that leaves a record, and the names to who is who. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { PACKAGE_ROOT } from '../../../../../../config/settings.ts';
import { authRoutes } from '../../../../../../plugins/auth/session/routes.ts';
import {
  actorIdOf,
  actorsOf,
  isBy,
  isWhole,
  namesOf,
  sentenceOf,
} from '../../../../../../services/dashboard/client/screens/audit/names.ts';
import { de as german } from '../../../../../../services/dashboard/client/screens/audit/texts-de.ts';
import { en as english } from '../../../../../../services/dashboard/client/screens/audit/texts-en.ts';
import { resourcesRoutes } from '../../../../../../services/resources/routes.ts';

/** What the command line records, as its source says. */
const OPERATIONS = readFileSync(join(PACKAGE_ROOT, 'gateway/administration/operations.ts'), 'utf8');
const RECORDED = [
  ...[...authRoutes, ...resourcesRoutes].flatMap(({ audit }) => (audit === undefined ? [] : [audit])),
  ...[...OPERATIONS.matchAll(/record(?:ForUser)?\('([a-z.-]+)'/g)].map(([, action]) => action ?? ''),
];

const TOLD = [
  { id: 'usr_1', kind: 'user' as const, name: 'Ada' },
  { id: 'mem_1', kind: 'member' as const, name: 'Ada' },
  { id: 'inv_1', kind: 'member' as const, name: 'joan@example.com' },
  { id: 'key_1', kind: 'key' as const, name: 'Nightly' },
];
const actor = (id: string, userId: string | null) => ({ actor: { kind: 'session' as const, id, userId } });

describe('the words of the audit', () => {
  it('tell every action that leaves a record, and no other, in both languages', () => {
    expect(RECORDED).to.include.members([
      'session.login',
      'api-key.revoke',
      'website.delete',
      'events.import',
    ]);
    expect(Object.keys(english.actions)).to.have.members([...new Set(RECORDED)]);
    expect(Object.keys(german.actions)).to.have.members(Object.keys(english.actions));
  });

  it('end with a colon in German where a name follows, and only there', () => {
    for (const [action, words] of Object.entries(german.actions)) {
      expect(/(?::| für| in)$/.test(words), words).to.equal(!isWhole(action));
    }
  });

  it('leave an action of which nothing is known as it is, whatever its name', () => {
    for (const action of ['thing.create', 'constructor', '__proto__', '']) {
      expect(sentenceOf(action, english.actions)).to.equal(action);
    }
    expect(sentenceOf('api-key.revoke', english.actions)).to.equal('Revoked the API key');
  });
});

describe('the names in the audit', () => {
  it('are found by every identifier, and those who act are people, keys and the command line', () => {
    expect([...namesOf(TOLD)]).to.deep.equal([
      ['usr_1', 'Ada'],
      ['mem_1', 'Ada'],
      ['inv_1', 'joan@example.com'],
      ['key_1', 'Nightly'],
    ]);
    expect(actorsOf(TOLD)).to.deep.equal(['usr_1', 'key_1', 'cli']);
  });

  it('tell what somebody did from what was done to them', () => {
    expect(actorIdOf(actor('ses_1', 'usr_1'))).to.equal('usr_1');
    expect(actorIdOf(actor('key_1', null))).to.equal('key_1');
    expect(isBy(actor('ses_1', 'usr_1'), 'usr_1')).to.equal(true);
    expect(isBy(actor('key_1', null), 'key_1')).to.equal(true);
    expect(isBy(actor('cli', null), 'usr_1')).to.equal(false);
  });
});
