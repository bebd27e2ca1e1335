/** The alerts as Prometheus reads them. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { PACKAGE_ROOT } from '../../../config/settings.ts';
import { promtool, requirePromtool } from '../../support/promtool.ts';
import { createTempDirectory, type TempDirectory } from '../../support/temp-directory.ts';

const ALERTS = join(PACKAGE_ROOT, 'config/deploy/monitoring/alerts.yml');

describe('the alerts', () => {
  let directory: TempDirectory;
  before(function () {
    requirePromtool(this);
    directory = createTempDirectory();
  });
  after(() => directory?.remove());

  it('are rules that Prometheus takes', () => {
    const { code, output } = promtool('check', 'rules', ALERTS);
    expect(code, output).to.equal(0);
    expect(output).to.match(/SUCCESS: \d+ rules found/);
  });

  /** Whether an alert fires after ten minutes over these series, each with a value for every minute. */
  function firesOver(alert: string, series: Readonly<Record<string, string>>, expected: object[]): void {
    const test = {
      rule_files: [ALERTS],
      evaluation_interval: '1m',
      tests: [
        {
          interval: '1m',
          input_series: Object.entries(series).map(([name, values]) => ({ series: name, values })),
          alert_rule_test: [{ eval_time: '20m', alertname: alert, exp_alerts: expected }],
        },
      ],
    };
    const file = directory.file('test.yml');
    // JSON is YAML.
    writeFileSync(file, JSON.stringify(test));
    const { code, output } = promtool('test', 'rules', file);
    expect(code, output).to.equal(0);
  }

  it('tell gateways of different configurations, once they have had time to reload', () => {
    const hashes = (one: string, other: string) => ({
      'tidegate_configuration_hash{instance="a"}': one,
      'tidegate_configuration_hash{instance="b"}': other,
    });
    const alert = 'TidegateConfigurationsDiffer';
    firesOver(alert, hashes('7x30', '7x30'), []);
    firesOver(alert, hashes('7x30', '7x18 8 7x11'), []);
    const summary = 'Gateways use different configurations';
    firesOver(alert, hashes('7x30', '8x30'), [
      { exp_labels: { severity: 'ticket' }, exp_annotations: { summary } },
    ]);
  });
});
