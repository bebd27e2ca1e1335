/** Holds that each bench of package.json has a test that starts what it measures, so that none stops starting unseen. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { PACKAGE_ROOT } from '../../config/settings.ts';
import { testFiles } from '../support/run/tiers.ts';

/** For each bench the test, and the files of that bench that it must reach: those that start something. */
const STARTED: Readonly<Record<string, { readonly test: string; readonly reaches: readonly string[] }>> = {
  gateway: {
    test: 'gateway-targets',
    reaches: ['bare-target', 'tidegate-target', 'nginx-lua-target', 'half-load', 'nginx-upstream'],
  },
  links: { test: 'gateway-targets', reaches: ['link-target', 'nginx-upstream'] },
  observability: { test: 'gateway-targets', reaches: ['tidegate-process', 'tidegate-target'] },
  auth: { test: 'auth-targets', reaches: ['auth-targets'] },
  scale: { test: 'gateway-targets', reaches: ['tidegate-process', 'tidegate-target'] },
  ingest: { test: 'embedded-targets', reaches: ['ingest-target', 'ingest-postgres'] },
  query: { test: 'embedded-targets', reaches: ['query-events', 'query-tidegate', 'query-sqlite'] },
  flags: { test: 'embedded-targets', reaches: ['flag-target'] },
  dashboard: { test: 'dashboard-visit', reaches: ['dashboard-target', 'dashboard-visit', 'dashboard-large'] },
  processes: { test: 'process-targets', reaches: ['worker-cost', 'blocked-query', 'bench-calls'] },
  columns: { test: 'measure-columns', reaches: ['measure-columns', 'column-events'] },
  attacks: { test: 'attacks/attacks', reaches: ['attacks/find-attacks', 'attacks/run-attack'] },
};
/** Benches that start nothing of Tidegate's: they call functions, which the compiler holds. */
const START_NOTHING = ['configuration', 'limits', 'policies', 'size'];

describe('the benches', () => {
  it('each have a test that starts what it measures', () => {
    const { scripts } = JSON.parse(readFileSync(join(PACKAGE_ROOT, 'package.json'), 'utf8'));
    const benches = Object.keys(scripts).filter((name) => name.startsWith('bench:'));
    const held = [...Object.keys(STARTED), ...START_NOTHING].map((name) => `bench:${name}`);
    expect(held).to.have.members(benches);
    const files = testFiles();
    for (const [name, { test, reaches }] of Object.entries(STARTED)) {
      const file = files.find(({ path }) => path.replace('.system.', '.') === `test/bench/${test}.test.ts`);
      const expected = reaches.map((part) => `test/bench/${part}.ts`);
      expect([...(file?.reaches ?? [])], name).to.include.members(expected);
    }
  });
});
