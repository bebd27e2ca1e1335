/** What decides who may call is written through pipelines that forget verdicts first, in the shipped configuration. */
import { join } from 'node:path';
import { expect } from 'chai';
import { PACKAGE_ROOT } from '../../../config/settings.ts';
import { loadConfiguration } from '../../../gateway/configuration/load-configuration.ts';
import { configurationVariables } from '../../../gateway/process/reload/configuration-variables.ts';

const URL = 'http://127.0.0.1:4000';

describe('the shipped configuration', () => {
  it('forgets verdicts after each write that a session alone may do', async () => {
    const variables = configurationVariables({ query: URL, tracking: URL, resources: URL });
    const { endpoints, pipelines } = await loadConfiguration(join(PACKAGE_ROOT, 'config'), variables);
    const proxied = endpoints.flatMap(({ name, access, methods, pipeline }) => {
      const steps = pipelines.find((each) => each.name === pipeline)?.steps ?? [];
      const proxy = steps.find(({ policy }) => policy === 'proxy');
      const writes = methods === null || methods.some((method) => method !== 'GET' && method !== 'HEAD');
      return access === 'session' && writes && proxy ? [{ name, proxy }] : [];
    });
    expect(proxied.map(({ name }) => name)).to.include.members(['api-key', 'api-key-acts', 'member']);
    for (const { name, proxy } of proxied) {
      expect(proxy.parameters.forgetsAfterWrites, name).to.equal(true);
    }
  });
});
