/** The shipped configuration serves the dashboard; one without its endpoint, its pipeline or its policy there does not. */
import { join } from 'node:path';
import { expect } from 'chai';
import { PACKAGE_ROOT } from '../../../config/settings.ts';
import type { Configuration } from '../../../gateway/configuration/configuration.ts';
import { loadConfiguration } from '../../../gateway/configuration/load-configuration.ts';
import { servesDashboard } from '../../../gateway/configuration/serves-dashboard.ts';
import {
  configurationVariables,
  UNSTARTED_SERVICE_URLS,
} from '../../../gateway/process/reload/configuration-variables.ts';

describe('whether a configuration serves the dashboard', () => {
  let shipped: Configuration;
  before(async () => {
    shipped = await loadConfiguration(
      join(PACKAGE_ROOT, 'config'),
      configurationVariables(UNSTARTED_SERVICE_URLS),
    );
  });

  it('is so where pages answer /dashboard', () => {
    expect(servesDashboard(shipped)).to.equal(true);
  });

  it('is not so without the endpoint, under another path, or where another policy answers it', () => {
    const { endpoints, pipelines } = shipped;
    const isDashboard = ({ paths }: { paths: readonly string[] }) => paths.includes('/dashboard');
    const without = endpoints.filter((endpoint) => !isDashboard(endpoint));
    expect(without.length).to.be.lessThan(endpoints.length);
    expect(servesDashboard({ endpoints: without, pipelines })).to.equal(false);
    const moved = endpoints.map((one) => (isDashboard(one) ? { ...one, paths: ['/console'] } : one));
    expect(servesDashboard({ endpoints: moved, pipelines })).to.equal(false);
    const answeredOtherwise = pipelines.map((one) => ({
      ...one,
      steps: one.steps.filter(({ policy }) => policy !== 'pages'),
    }));
    expect(servesDashboard({ endpoints, pipelines: answeredOtherwise })).to.equal(false);
  });
});
