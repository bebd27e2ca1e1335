/** The plugin that docs/plugins.md shows is the one that works here: same text, in a running gateway. */
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { PACKAGE_ROOT } from '../../../config/settings.ts';
import { startGateway, startUpstream } from '../../support/start-gateway.ts';

describe('the plugin of docs/plugins.md', () => {
  it('is written there as it stands here', () => {
    const guide = readFileSync(join(PACKAGE_ROOT, 'docs/plugins.md'), 'utf8');
    for (const name of ['require-header-policy.ts', 'manifest.ts']) {
      const source = readFileSync(join(PACKAGE_ROOT, 'test/plugins/kit/require-header', name), 'utf8');
      const shown = source
        .replaceAll('../../../../plugins/', '../')
        .replaceAll('../../../../', '../../')
        .trimEnd()
        .split('\n')
        .map((line) => (line === '' ? '' : `    ${line}`));
      expect(guide).to.contain(shown.join('\n'));
    }
  });

  it('refuses in a pipeline, counted like any refusal', async () => {
    const configDir = mkdtempSync(join(tmpdir(), 'tidegate-config-'));
    cpSync(join(PACKAGE_ROOT, 'config'), configDir, { recursive: true });
    const edit = (file: string, from: RegExp, to: string) => {
      const text = readFileSync(join(configDir, file), 'utf8');
      expect(text.search(from), String(from)).to.be.at.least(0);
      writeFileSync(join(configDir, file), text.replace(from, to));
    };
    const manifest = join(PACKAGE_ROOT, 'dist/test/plugins/kit/require-header/manifest.js');
    edit('system.config.yml', /^plugins:\n/m, `plugins:\n  require-header:\n    package: ${manifest}\n`);
    edit('gateway.config.yml', /policies: \[auth,/, 'policies: [require-header, auth,');
    const step = '      - require-header:\n          - action: { header: x-team }\n';
    const begin =
      /^ {2}resources:\n {4}apiEndpoints:[^\n]*\n(?: {6}- [^\n]*\n)* {4}policies:\n {6}- auth:\n/m;
    edit('gateway.config.yml', begin, `$&${step}`);

    const upstream = await startUpstream((_req, res) => res.end('{}'));
    const gateway = await startGateway({ upstream: upstream.origin, configDir });
    try {
      const call = (headers: Record<string, string>) =>
        fetch(`${gateway.origin}/v1/websites`, { headers: { 'x-api-key': gateway.key, ...headers } });
      const refused = await call({});
      expect(refused.status).to.equal(400);
      expect(refused.headers.get('x-ratelimit-remaining')).to.equal('999999');
      const body = (await refused.json()) as { code: string; details: unknown[] };
      expect(body.code).to.equal('VALIDATION_ERROR');
      expect(body.details).to.deep.equal([{ field: 'x-team', message: 'This header is required.' }]);
      const passed = await call({ 'x-team': 'a' });
      expect([passed.status, passed.headers.get('x-ratelimit-remaining')]).to.deep.equal([200, '999998']);
    } finally {
      await gateway.close();
      await upstream.close();
      rmSync(configDir, { recursive: true, force: true });
    }
  });
});
