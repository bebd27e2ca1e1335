/** What a configuration of the history changed: against what was in force before it, without anything that may hold a secret. */
import { expect } from 'chai';
import type { Configuration } from '../../../../gateway/configuration/configuration.ts';
import { ConfigurationError } from '../../../../gateway/configuration/faults.ts';
import { recordConfiguration } from '../../../../gateway/configuration/history/configuration-history.ts';
import { createConfigurationChanges } from '../../../../gateway/serve/platform/configuration-changes.ts';
import { ApiError } from '../../../../services/shared/errors/api-error.ts';
import { type Edit, editedConfiguration } from '../../../support/configuration-pairs.ts';
import { createMemoryDocumentStore } from '../../../support/memory-document-store.ts';
import { createTestClock } from '../../../support/test-clock.ts';

const HEADERS: Edit = [
  'system',
  'plugins:\n',
  'plugins:\n  headers:\n    package: $\u007BPLUGIN_DIR}/headers/manifest.js\n',
];
const USED: Edit = ['gateway', 'policies: [auth,', 'policies: [headers, auth,'];
const PROXY = '      - rate-limit:\n      - proxy:\n          - action: { serviceEndpoint: resources }\n';

function sends(secret: string): Edit[] {
  const step = `      - headers:\n          - action: { request: { set: { x-backend-key: ${secret} } } }\n`;
  return [HEADERS, USED, ['gateway', PROXY, PROXY.replace('      - proxy:\n', `${step}      - proxy:\n`)]];
}

describe('what a configuration changed', () => {
  /** Records 1, 2, … of these; null: it was refused. */
  async function setUp(all: readonly (readonly Edit[] | null)[]) {
    const documents = createMemoryDocumentStore(createTestClock());
    for (const [index, edits] of all.entries()) {
      await recordConfiguration(documents, {
        outcome: edits === null ? 'refused' : 'applied',
        ...{ restored: null, reason: 'a file changed', hash: null, faults: [] },
        texts: new Map([['plans.yml', `${index}`]]),
      });
    }
    const loaded: number[] = [];
    const changesOf = createConfigurationChanges(documents, async ({ number }): Promise<Configuration> => {
      loaded.push(number);
      const edits = all[number - 1];
      if (edits == null) throw new Error('a refused one is not loaded');
      return editedConfiguration(edits);
    });
    return { changesOf, loaded };
  }

  it('is told against what was in force before, refused ones left out, and worked out once', async () => {
    const { changesOf, loaded } = await setUp([[], null, [['plans', 'links: 10000', 'links: 200000']]]);
    const told = {
      number: 3,
      before: 1,
      changes: [
        {
          subject: 'documents',
          name: 'of an organization',
          kind: 'changed',
          differences: [{ part: 'links', from: '10000', to: '200000', concealed: false }],
          dangers: ['links is raised 20 times'],
        },
      ],
      moreChanges: 0,
    };
    expect(await changesOf(3)).to.deep.equal(told);
    expect(await changesOf(3)).to.deep.equal(told);
    expect(loaded).to.deep.equal([1, 3]);
  });

  it('is nothing for the first one, and for one that was refused', async () => {
    const { changesOf, loaded } = await setUp([[], null]);
    for (const number of [1, 2])
      expect(await changesOf(number)).to.deep.equal({ number, before: null, changes: [], moreChanges: 0 });
    expect(loaded).to.deep.equal([]);
  });

  it('says of parameters of policies and of paths of the machine only that they differ', async () => {
    const { changesOf } = await setUp([[], sends('plantedsecret1'), sends('plantedsecret2')]);
    const added = await changesOf(2);
    expect(added.changes.map(({ subject }) => subject)).to.include.members(['route', 'plugin']);
    const changed = await changesOf(3);
    const parts = changed.changes.flatMap(({ differences }) => differences);
    expect(parts.map(({ part }) => part)).to.include('policy headers');
    for (const { from, to, concealed } of parts)
      expect([from, to, concealed]).to.deep.equal([null, null, true]);
    const text = JSON.stringify([added, changed]);
    expect(text).to.not.match(/plantedsecret|x-backend-key/);
    expect(text).to.not.include(process.cwd());
  });

  it('is refused of a number that is not there, or that does not pass the check any more', async () => {
    const { changesOf } = await setUp([[]]);
    const refusal = async (asked: Promise<unknown>): Promise<ApiError> =>
      asked.then(
        () => expect.fail('it was told'),
        (fault: unknown) => {
          if (fault instanceof ApiError) return fault;
          throw fault;
        },
      );
    expect((await refusal(changesOf(7))).code).to.equal('NOT_FOUND');
    const documents = createMemoryDocumentStore(createTestClock());
    for (const text of ['a', 'b']) {
      await recordConfiguration(documents, {
        ...{ outcome: 'applied', restored: null, reason: 'start', hash: null, faults: [] },
        texts: new Map([['plans.yml', text]]),
      });
    }
    const fault = { file: 'plans.yml', line: 2, path: 'plans', allowed: [], text: 'is missing' };
    const faulty = createConfigurationChanges(documents, async () => {
      throw new ConfigurationError([fault]);
    });
    const { code, details } = await refusal(faulty(2));
    expect(code).to.equal('VALIDATION_ERROR');
    expect(details?.map(({ message }) => message)).to.deep.equal([
      'Configuration 1 does not pass the check now.',
      'plans.yml:2 plans: is missing',
    ]);
  });
});
