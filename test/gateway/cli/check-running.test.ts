/** `tidegate check --running`: what it says of organizations that are stored, which the files cannot know. */
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { Command } from 'commander';
import { DEFAULT_CUSTOM_SQL } from '../../../config/custom-sql-settings.ts';
import { registerCheckCommand } from '../../../gateway/cli/check.ts';
import { Refusal } from '../../../gateway/cli/refusal.ts';
import type { StoredOrganization } from '../../../gateway/cli/stored-organizations.ts';
import {
  configurationVariables,
  UNSTARTED_SERVICE_URLS,
} from '../../../gateway/process/reload/configuration-variables.ts';
import { withForeignBackends } from '../../support/foreign-backends.ts';

describe('tidegate check --running', () => {
  /** Runs it over the shipped configuration; the lines it prints, or those of its refusal, without the folder. */
  async function check(stored: readonly StoredOrganization[], ...more: string[]): Promise<string[]> {
    const folder = withForeignBackends({});
    appendFileSync(
      join(folder.path, 'plans.yml'),
      '\noverrides:\n  - { organization: org_a, limit: perDay, max: 7 }\n',
    );
    const lines: string[] = [];
    const program = new Command().exitOverride();
    registerCheckCommand(program, {
      configDir: () => folder.path,
      surroundings: () => ({
        variables: configurationVariables(UNSTARTED_SERVICE_URLS),
        customSql: DEFAULT_CUSTOM_SQL,
      }),
      organizations: async () => stored,
      out: (line) => void lines.push(line),
    });
    try {
      await program.parseAsync(['check', ...more], { from: 'user' });
    } catch (fault) {
      if (!(fault instanceof Refusal)) throw fault;
      lines.push(...fault.message.split('\n'));
    } finally {
      folder.remove();
    }
    return lines.map((line) => line.replace(` in ${folder.path}`, ''));
  }

  it('refuses a plan that is missing for each organization on it', async () => {
    const stored = [
      { id: 'org_a', plan: 'free' },
      { id: 'org_b', plan: 'gone' },
      { id: 'org_c', plan: 'gone' },
    ];
    const lines = await check(stored, '--running');
    expect(lines).to.have.length(3);
    expect(lines[0]).to.match(
      /^plans\.yml plans: the organization org_b is on the plan "gone", which is missing; allowed: .*free/,
    );
    expect(lines[1]).to.include('org_c');
    expect(lines[2]).to.equal('2 faults');
  });

  it('warns of an override for an organization that does not exist', async () => {
    const warning =
      'warning: plans.yml overrides: the organization org_a does not exist, so these numbers bind nobody';
    expect(await check([{ id: 'org_b', plan: 'free' }], '--running')).to.include(warning);
    expect(await check([{ id: 'org_a', plan: 'free' }], '--running')).to.not.include(warning);
  });

  it('says how many organizations it looked at, and asks nobody without the option', async () => {
    expect(await check([{ id: 'org_a', plan: 'free' }], '--running')).to.include(
      'stored organizations: 1, each on a plan that is there',
    );
    const unasked = await check([{ id: 'org_a', plan: 'gone' }]);
    expect(unasked.at(-1)).to.match(/^ok: /);
    expect(unasked.join()).to.not.include('stored organizations');
  });
});
