/** The metrics of ingest: every step and every reason of the closed list is shown from the start, and nothing else. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { PACKAGE_ROOT } from '../../../../config/settings.ts';
import { PrometheusMetrics } from '../../../../services/shared/metrics/prometheus-metrics.ts';
import { DROP_REASONS, DROPS } from '../../../../services/shared/model/drop-reasons.ts';
import { createIngestCounts, INGEST_STEPS } from '../../../../services/tracking/ingest/ingest-counts.ts';
import { tableIn } from '../../../support/markdown-table.ts';
import { samplesOf } from '../../../support/metric-samples.ts';

describe('the metrics of ingest', () => {
  it('show each step and each reason, zero until something happens', async () => {
    const metrics = new PrometheusMetrics();
    const counts = createIngestCounts(metrics);
    const expected = Object.fromEntries([
      ...INGEST_STEPS.map((step) => [`tidegate_ingest_events_total{step="${step}"}`, 0]),
      ...DROP_REASONS.map((reason) => [`tidegate_ingest_dropped_events_total{reason="${reason}"}`, 0]),
    ]);
    expect(samplesOf(await metrics.text())).to.deep.equal(expected);
    counts.add('writeEvents', 3);
    counts.add('origin_foreign', 2);
    counts.add('writeEvents', 4);
    expect(samplesOf(await metrics.text())).to.deep.equal({
      ...expected,
      'tidegate_ingest_events_total{step="writeEvents"}': 7,
      'tidegate_ingest_dropped_events_total{reason="origin_foreign"}': 2,
    });
  });

  it('are explained by docs/operations.md: each step by its name, each reason with its answer', () => {
    const guide = readFileSync(join(PACKAGE_ROOT, 'docs/operations.md'), 'utf8');
    const rows = Object.entries(DROPS).map(([reason, { status, when }]) => [reason, `${status}`, when]);
    expect(tableIn(guide, 'reason', 'answer', 'when')).to.deep.equal(rows);
    const steps = tableIn(guide, 'metric', 'type').find(([name]) => name === 'tidegate_ingest_events_total');
    expect(steps?.[3]).to.include(INGEST_STEPS.join(', '));
  });
});
