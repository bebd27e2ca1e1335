/** Which scopes a configuration has: those it lists, or the shipped ones, each with its holders. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { parse } from 'yaml';
import { PACKAGE_ROOT } from '../../../config/settings.ts';
import {
  checkScopeCatalogue,
  warnOfGivenRoles,
  warnOfIdleScopes,
} from '../../../gateway/configuration/check-scopes.ts';
import { Cursor } from '../../../gateway/configuration/cursor.ts';
import type { Fault } from '../../../gateway/configuration/faults.ts';
import { loadScopes } from '../../../gateway/configuration/load-scopes.ts';
import type { SourceFile } from '../../../gateway/configuration/source-file.ts';
import { ROLE_SCOPES } from '../../../services/shared/access/role-scopes.ts';
import { SHIPPED_CATALOGUE } from '../../../services/shared/access/scope-catalogue.ts';
import { SCOPES } from '../../../services/shared/access/scopes.ts';
import { createTempDirectory } from '../../support/temp-directory.ts';

const CONFIG = join(PACKAGE_ROOT, 'config');
const SEVEN = Object.fromEntries(SCOPES.map((name) => [name, { text: name }]));

function cursorOf(value: unknown, faults: Fault[]): Cursor {
  const source: SourceFile = {
    name: 'gateway.config.yml',
    value,
    written: value,
    placeOf: (steps) => ({ file: 'gateway.config.yml', line: undefined, steps }),
    replacedAt: () => undefined,
    holdsSecret: () => false,
  };
  return Cursor.of(source, faults);
}

function check(value: unknown) {
  const faults: Fault[] = [];
  return { catalogue: checkScopeCatalogue(cursorOf(value, faults)), faults: faults.map(({ text }) => text) };
}

describe('the scopes of a configuration', () => {
  it('are the shipped ones where it lists none, and the shipped file lists just these', () => {
    expect(check({})).to.deep.equal({ catalogue: SHIPPED_CATALOGUE, faults: [] });
    const file = parse(readFileSync(join(CONFIG, 'gateway.config.yml'), 'utf8'));
    expect(file).to.include.keys('scopes', 'roles');
    expect(check(file)).to.deep.equal({ catalogue: SHIPPED_CATALOGUE, faults: [] });
  });

  it('are read for keys and for each role; a role that is left out holds what it shipped with', () => {
    const scopes = {
      ...SEVEN,
      'read:orders': { text: 'Read orders' },
      'run:orders': { text: 'Run orders', holders: ['keys'] },
      'see:console': { text: 'See the console', holders: ['sessions'] },
    };
    const roles = { owner: [...SCOPES, 'read:orders', 'see:console'], viewer: ['read:orders'] };
    const { catalogue, faults } = check({ scopes, roles });
    expect(faults).to.deep.equal([]);
    expect(catalogue.names).to.deep.equal(Object.keys(scopes));
    expect(catalogue.ofKeys).to.deep.equal([...SCOPES, 'read:orders', 'run:orders']);
    expect(catalogue.ofRole).to.deep.equal({ ...ROLE_SCOPES, ...roles });
  });

  it('are at most 100, with names of at most 64 characters', () => {
    const many = (count: number) =>
      Object.fromEntries(
        Array.from({ length: count - SCOPES.length }, (_, at) => [`read:n${at}`, { text: 'One' }]),
      );
    expect(check({ scopes: { ...SEVEN, ...many(100) } }).faults).to.deep.equal([]);
    expect(check({ scopes: { ...SEVEN, ...many(101) } }).faults).to.deep.equal(['lists 101 scopes']);
    const named = (length: number) => ({
      scopes: { ...SEVEN, [`read:${'n'.repeat(length - 5)}`]: { text: 'One' } },
    });
    expect(check(named(64)).faults).to.deep.equal([]);
    expect(check(named(65)).faults).to.have.length(1);
  });

  it('never are fewer for an owner than the seven, however the roles are written', () => {
    for (const owner of [[], null, 'all', ...SCOPES.map((left) => SCOPES.filter((scope) => scope !== left))])
      expect(check({ roles: { owner } }).faults, JSON.stringify(owner)).to.not.deep.equal([]);
  });

  it('are warned of where nothing requires them, and where no role holds them', () => {
    const scopes = {
      ...SEVEN,
      'read:orders': { text: 'Read orders' },
      'run:orders': { text: 'Run orders', holders: ['keys'] },
    };
    const { catalogue } = check({ scopes });
    const warningsFor = (required: readonly string[]): string[] => {
      const warnings: Fault[] = [];
      warnOfIdleScopes(cursorOf({ scopes }, warnings), catalogue, [
        { scopes: ['read:data'], scopesUnder: { link_id: required } },
      ]);
      return warnings.map(({ path, text }) => `${path} ${text.split(' ').slice(0, 4).join(' ')}`);
    };
    expect(warningsFor([])).to.deep.equal([
      'scopes.read:orders no endpoint requires this',
      'scopes.read:orders no role holds this',
      'scopes.run:orders no endpoint requires this',
    ]);
    expect(warningsFor(['read:orders', 'run:orders'])).to.deep.equal([
      'scopes.read:orders no role holds this',
    ]);
  });

  it('are warned of where somebody may give a role that holds more than they do', () => {
    const warningsFor = (roles: unknown): string[] => {
      const warnings: Fault[] = [];
      warnOfGivenRoles(cursorOf({ roles }, warnings), check({ roles }).catalogue);
      return warnings.map(({ path, text }) => `${path}: ${text.split(',')[0]}`);
    };
    expect(warningsFor(undefined)).to.deep.equal([]);
    expect(warningsFor({ member: ['read:data'], viewer: [] })).to.deep.equal([]);
    expect(
      warningsFor({
        admin: ['read:data', 'manage:config'],
        member: ['read:data', 'track:events'],
        viewer: [],
      }),
    ).to.deep.equal(['roles.admin: lacks track:events of member']);
  });

  it('are read alone for the command line; a fault in them gives none', async () => {
    expect(await loadScopes(CONFIG)).to.deep.equal(SHIPPED_CATALOGUE);
    const folder = createTempDirectory();
    try {
      expect(await loadScopes(folder.path)).to.equal(null);
      writeFileSync(folder.file('gateway.config.yml'), 'pipelines: [faulty]\nserviceEndpoints: [also]\n');
      expect(await loadScopes(folder.path)).to.deep.equal(SHIPPED_CATALOGUE);
      writeFileSync(folder.file('gateway.config.yml'), 'include: more.yml\n');
      const listed = JSON.stringify({ ...SEVEN, 'read:orders': { text: 'Read orders' } });
      writeFileSync(folder.file('more.yml'), `scopes: ${listed}\n`);
      expect((await loadScopes(folder.path))?.ofKeys).to.include('read:orders');
      writeFileSync(folder.file('gateway.config.yml'), 'roles: { owner: [read:data] }\n');
      expect(await loadScopes(folder.path)).to.equal(null);
    } finally {
      folder.remove();
    }
  });
});
