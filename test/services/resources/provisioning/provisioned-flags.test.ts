/** Flags in PROVISION_FILE: written as the file says, by the rules of the API, and faults told where they stand. */
import { expect } from 'chai';
import { ProvisioningError } from '../../../../services/resources/provisioning/provisioning-fault.ts';
import { createProvisionedStore, fileText } from '../../../support/provisioned-store.ts';
import { createTestClock } from '../../../support/test-clock.ts';

const flagsText = (...flags: string[]) =>
  fileText({ extra: `    flags:\n${flags.map((flag) => `      - {${flag}}`).join('\n')}\n` });

describe('provisioned flags', () => {
  let store: ReturnType<typeof createProvisionedStore>;

  beforeEach(() => {
    store = createProvisionedStore(createTestClock());
  });

  async function faultsOf(...flags: string[]): Promise<string[]> {
    const before = store.documents.text();
    const outcome = await store.apply(flagsText(...flags)).catch((error: unknown) => error);
    if (!(outcome instanceof ProvisioningError)) throw new Error(`no faults but ${JSON.stringify(outcome)}`);
    expect(store.documents.text()).to.equal(before);
    return outcome.faults.map(({ path, message }) => `${path}: ${message}`);
  }

  it('are written with what is named and defaults for the rest, and changed when their text changes', async () => {
    const two = [
      'id: flg_a, key: a, websiteId: web_shop, defaultValue: true',
      'id: flg_b, key: b, dependencies: [c]',
    ];
    const report = await store.apply(
      flagsText(...two, 'id: flg_c, key: c, type: rollout, rolloutPercentage: 5'),
    );
    expect(report.applied.slice(-3)).to.deep.equal([
      'flag/org_one/flg_a',
      'flag/org_one/flg_b',
      'flag/org_one/flg_c',
    ]);
    const { flags } = store.documents;
    expect(await flags.get('org_one', 'flg_a')).to.deep.include({
      ...{ key: 'a', name: 'a', websiteId: 'web_shop', scopeId: 'web_shop', defaultValue: true },
      ...{ type: 'boolean', status: 'active', rules: [], createdBy: 'provisioning' },
    });
    await flags.update('org_one', 'flg_c', 1, { rolloutPercentage: 50 });
    const again = await store.apply(
      flagsText(
        two[0] ?? '',
        'id: flg_b, key: b, name: B',
        'id: flg_c, key: c, type: rollout, rolloutPercentage: 5',
      ),
    );
    expect(again.applied).to.deep.equal(['flag/org_one/flg_b']);
    expect(await flags.get('org_one', 'flg_b')).to.deep.include({ name: 'B', dependencies: [] });
    expect(await flags.get('org_one', 'flg_c')).to.include({ rolloutPercentage: 50 });
    expect((await store.apply(flagsText(two[0] ?? ''))).warnings).to.deep.equal([
      'the flag flg_b of org_one is no longer in the file; it stays, remove it through the API',
      'the flag flg_c of org_one is no longer in the file; it stays, remove it through the API',
    ]);
  });

  it('are refused for what the API refuses too, each fault where it stands, and nothing is written', async () => {
    const at = 'organizations[0].flags[0]';
    expect(await faultsOf('id: flg_a, key: a b, colour: red')).to.deep.equal([
      `${at}.key: came "a b"; allowed: 1 to 100 letters, digits, "_" and "-"`,
      `${at}.colour: unknown key; allowed: name, description, type, status, defaultValue, payload, rolloutPercentage, rolloutBy, rules, variants, dependencies, environment, targetGroupIds, key, websiteId, id`,
    ]);
    const [unknown] = await faultsOf('id: flg_a, key: a, websiteId: web_shp');
    expect(unknown).to.equal(
      `${at}.websiteId: came an unknown website; allowed: websites of the organization: web_shop`,
    );
    expect(await faultsOf('id: flg_a, key: a, type: multivariant')).to.deep.equal([
      `${at}.variants: is missing; allowed: at least one variant`,
    ]);
    const [circle] = await faultsOf(
      'id: flg_a, key: a, dependencies: [b]',
      'id: flg_b, key: b, dependencies: [a]',
    );
    expect(circle).to.equal(`${at}.dependencies: close a circle a → b → a; allowed: none`);
    expect(await faultsOf('id: flg_a, key: a, dependencies: [x], targetGroupIds: [tgt_x]')).to.have.length(2);
    expect((await faultsOf('id: flg_a, key: a', 'id: flg_b, key: a'))[0]).to.include('is already used by');
    const [rule] = await faultsOf('id: flg_a, key: a, rules: [{type: user_id, operator: in, enabled: true}]');
    expect(rule).to.include(`${at}.rules[0].values: is missing; allowed: a list of 1 to 1000 values`);
  });

  it('never take over another flag, nor move one', async () => {
    await store.apply(flagsText('id: flg_a, key: a'));
    const at = 'organizations[0].flags[0].key';
    expect((await faultsOf('id: flg_other, key: a'))[0]).to.equal(
      `${at}: came "a", which the flag flg_a has; allowed: one flag per key`,
    );
    for (const moved of ['id: flg_a, key: z', 'id: flg_a, key: a, websiteId: web_shop'])
      expect((await faultsOf(moved))[0]).to.include(`${at}: came another key or website`);
  });
});
