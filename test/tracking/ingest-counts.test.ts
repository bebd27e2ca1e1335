/** The metrics of ingest: every step and every reason of the closed list is shown from the start, and nothing else. */
import { expect } from 'chai';
import { PrometheusMetrics } from '../../services/shared/metrics/prometheus-metrics.ts';
import {
  createIngestCounts,
  DROP_REASONS,
  INGEST_STEPS,
} from '../../services/tracking/ingest/ingest-counts.ts';
import { samplesOf } from '../support/metric-samples.ts';

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
});
