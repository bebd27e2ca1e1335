/** `${…}` in the files: the environment, secret files, what is never shown, and what never becomes YAML. */
import { mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { explainRequest } from '../../../gateway/configuration/explain.ts';
import { formatFault } from '../../../gateway/configuration/faults.ts';
import { createGoodConfiguration, type GoodConfiguration } from '../../support/good-configuration.ts';

const GATEWAY = 'gateway.config.yml';
const SECRET = 'pa"ss\\word-of-the-orders-team, which is longer than what a fault shows of a text';

describe('variables of a configuration', () => {
  let files: GoodConfiguration;
  let secret: string;

  beforeEach(() => {
    files = createGoodConfiguration();
    secret = join(files.directory, 'secret');
  });
  afterEach(() => files.remove());

  const stamp = (text: string) => files.edit(GATEWAY, '{ header: X-Stamp }', `{ header: '${text}' }`);
  const stamped = async (environment: Record<string, string> = {}) => {
    const { pipelines } = await files.load(environment);
    return pipelines[0]?.steps.find(({ policy }) => policy === 'stamp')?.action.header;
  };

  it('come from the environment, and what stands there is never YAML nor a variable', async () => {
    stamp(`\${TEAM_HEADER}`);
    const text = `a: [b] # \${OTHER} "`;
    expect(await stamped({ TEAM_HEADER: text, OTHER: 'x' })).to.equal(text);
    expect(await files.faults({})).to.have.length(1);
  });

  it('take part in the hash as they are written, whatever they stand for', async () => {
    stamp(`\${TEAM_HEADER}`);
    const one = await files.load({ TEAM_HEADER: 'one' });
    const other = await files.load({ TEAM_HEADER: 'other' });
    expect(one.pipelines).to.not.deep.equal(other.pipelines);
    expect(one.hash).to.equal(other.hash);
    files.edit('plans.yml', 'limit: 100', 'limit: 101');
    expect((await files.load({ TEAM_HEADER: 'one' })).hash).to.not.equal(one.hash);
  });

  it('have defaults, and stand for themselves behind a second dollar sign', async () => {
    stamp(`\${A:-one} $\${A} \${B:-two}`);
    expect(await stamped({ B: 'three' })).to.equal(`one \${A} three`);
  });

  it('are numbers where the schema takes no text, and text where it does', async () => {
    files.edit(GATEWAY, 'maxBytes: 1024', `maxBytes: '\${BYTES:-2048}'`);
    files.edit('plans.yml', 'limit: 100', `limit: \${PUBLIC}`);
    stamp(`\${NUMBER}`);
    const { pipelines, plans, documents } = await files.load({ PUBLIC: '77', NUMBER: '12' });
    const steps = pipelines[0]?.steps ?? [];
    expect(steps.find(({ policy }) => policy === 'body')).to.deep.include({
      action: { maxBytes: 2048 },
      parameters: { maxBytes: 2048, read: 'stream' },
    });
    expect(steps.find(({ policy }) => policy === 'stamp')?.action).to.deep.equal({ header: '12' });
    expect(plans.limits.public.limit).to.equal(77);
    expect(JSON.stringify(documents.gateway)).to.include('"maxBytes":2048');
    expect(await files.faults({ PUBLIC: 'many', NUMBER: '12' })).to.deep.equal([
      'plans.yml:8 limits.public.limit: "many" is not allowed; allowed: an integer from 1 to 1000000000',
    ]);
  });

  it('are not the settings of the server', async () => {
    stamp(`\${MONGODB_URI}`);
    expect(await files.faults({ MONGODB_URI: 'mongodb://user:hunter2@db' })).to.deep.equal([
      'gateway.config.yml:29 pipelines.backend.policies[1].stamp[0].action.header: "MONGODB_URI" is a setting of the server, which the configuration does not see; allowed: PLUGIN_DIR, TRACKING_URL',
    ]);
  });

  it('are listed with where they come from, and without what they hold', async () => {
    stamp(`\${A:-one}\${B}\${file:${secret}}`);
    files.write('secret', SECRET);
    const { variables } = await files.load({ B: 'two' });
    expect(variables).to.deep.equal([
      { name: 'TRACKING_URL', from: 'server' },
      { name: 'A', from: 'default' },
      { name: 'B', from: 'environment' },
      { name: secret, from: 'secret file' },
      { name: 'PLUGIN_DIR', from: 'server' },
      { name: 'STAMP_PREFIX', from: 'default' },
    ]);
  });

  describe('that are secret files', () => {
    it('give their text without the line end after it', async () => {
      stamp(`Bearer \${file:${secret}}`);
      files.write('secret', `${SECRET}\r\n\n`);
      expect(await stamped()).to.equal(`Bearer ${SECRET}`);
    });

    it('are watched, also while they are missing', async () => {
      stamp(`\${file:${secret}}`);
      files.write('secret', SECRET);
      expect((await files.load()).further).to.deep.equal([secret]);
    });

    const refusals: Record<string, readonly [text: string | null, fault: string]> = {
      missing: [null, 'is missing'],
      empty: ['\n', 'is empty'],
      'not text': ['a\0b', 'is not text'],
      'too long': ['x'.repeat(70_000), 'is larger than 65536 bytes'],
    };
    for (const [name, [text, fault]] of Object.entries(refusals)) {
      it(`are refused when ${name}`, async () => {
        stamp(`\${file:${secret}}`);
        if (text !== null) files.write('secret', text);
        expect(await files.faults()).to.deep.equal([
          `gateway.config.yml:29 pipelines.backend.policies[1].stamp[0].action.header: the secret file "${secret}" ${fault}`,
        ]);
      });
    }

    it('are refused when they cannot be read, or are no files', async () => {
      stamp(`\${file:${secret}}`);
      mkdirSync(secret);
      expect((await files.faults())[0]).to.match(/the secret file ".*" is not a file$/);
      rmSync(secret, { recursive: true });
      symlinkSync(secret, secret);
      expect((await files.faults())[0]).to.match(/the secret file ".*" cannot be read \(ELOOP\)$/);
    });

    it('are refused by a relative path, with a default, and where everybody would see them', async () => {
      files.write('secret', SECRET);
      stamp(`\${file:secret}\${file:${secret}:-x}`);
      files.edit(GATEWAY, 'paths: /track', `paths: \${file:${secret}}`);
      const faults = await files.faults();
      expect(faults.join('\n')).to.include('the secret file "secret" is not named by an absolute path');
      expect(faults.join('\n')).to.include(`the secret file "${secret}:-x" is missing`);
      expect(faults.join('\n')).to.include('apiEndpoints.track.paths: a secret may not stand here');
    });

    it('are in no fault, at their place or elsewhere', async () => {
      files.write('secret', SECRET);
      files.edit(GATEWAY, 'maxBytes: 1024', `maxBytes: '\${file:${secret}}'`);
      files.edit(GATEWAY, 'serviceEndpoint: backend', `serviceEndpoint: '\${file:${secret}}'`);
      const error = await files.load().catch((thrown: unknown) => thrown);
      const shown = JSON.stringify([error, (error as Error).message]);
      expect(shown).to.include('is not valid, and not shown, since a secret stands here');
      for (const part of ['word-of-the', 'pa\\', 'pa"']) expect(shown).to.not.include(part);
    });

    it('are in nothing that explain says', async () => {
      files.write('secret', SECRET);
      stamp(`Bearer \${file:${secret}}`);
      const explained = JSON.stringify(explainRequest(await files.load(), 'POST', '/track'));
      expect(explained).to.include('Bearer [secret]');
      expect(explained).to.not.include('word-of-the');
    });

    it('are warned of when they are too short to be hidden within other texts', async () => {
      stamp(`Bearer \${file:${secret}}`);
      const warnings = async () => {
        const found = (await files.load()).warnings.map(formatFault);
        return found.filter((warning) => warning.includes('secret'));
      };
      files.write('secret', 'abcd\n');
      expect(await warnings()).to.deep.equal([]);
      files.write('secret', 'abc\n');
      expect(await warnings()).to.deep.equal([
        `${secret}: this secret is hidden only where it stands alone, not within other texts: it has fewer than 4 characters`,
      ]);
    });

    it('are in no fault of a start', async () => {
      files.write('secret', SECRET);
      stamp(`\${file:${secret}}`);
      const { secrets } = await files.load();
      const fault = secrets.concealIn(new Error(`${SECRET} is not a key`)) as Error;
      expect(fault.message).to.equal('[secret] is not a key');
      expect(fault.stack).to.not.include('word-of-the');
    });
  });
});
