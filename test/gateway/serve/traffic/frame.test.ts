/** A frame is what rose between two readings, over the time between them. */
import { expect } from 'chai';
import { renderFrame } from '../../../../gateway/cli/top/render.ts';
import { frameOf } from '../../../../gateway/serve/traffic/frame.ts';
import { Samples } from '../../../../gateway/serve/traffic/samples.ts';

const AT = Date.UTC(2026, 10, 27, 12);
const requests = (endpoint: string, status: string, count: number) =>
  `tidegate_requests_total{endpoint="${endpoint}",method="read",status="${status}"} ${count}`;
const bucket = (endpoint: string, le: string, count: number) =>
  `tidegate_request_duration_seconds_bucket{endpoint="${endpoint}",le="${le}"} ${count}`;

const BEFORE = [
  requests('query', '200', 100),
  requests('query', '429', 10),
  bucket('query', '0.01', 50),
  bucket('query', '0.1', 100),
  bucket('query', '+Inf', 110),
  'tidegate_rate_limit_refused_total{limit="plan"} 10',
  'process_cpu_seconds_total 5',
  'tidegate_ingest_events_total{step="received"} 10',
  'tidegate_ingest_events_total{step="writeEvents"} 9',
  'tidegate_ingest_dropped_events_total{reason="faulty"} 1',
];
const NOW = [
  requests('query', '200', 140),
  requests('query', '429', 18),
  requests('track', '200', 4),
  requests('track', '503', 2),
  bucket('query', '0.01', 80),
  bucket('query', '0.1', 147),
  bucket('query', '+Inf', 158),
  'tidegate_rate_limit_refused_total{limit="plan"} 18',
  'tidegate_rate_limit_refused_total{limit="login"} 0',
  'process_cpu_seconds_total 6',
  'process_resident_memory_bytes 210000000',
  'nodejs_eventloop_lag_p99_seconds 0.0125',
  'tidegate_connections 3',
  'tidegate_configuration_age_seconds 7300',
  'tidegate_configuration_pinned 4',
  'tidegate_ingest_events_total{step="received"} 30',
  'tidegate_ingest_events_total{step="writeEvents"} 25',
  'tidegate_ingest_dropped_events_total{reason="faulty"} 5',
  'tidegate_event_store_waiting_events 12',
  'tidegate_upstream_healthy{service="query",address="10.0.0.1:80"} 1',
  'tidegate_upstream_healthy{service="query",address="10.0.0.2:80"} 0',
  'tidegate_upstream_healthy{service="query",address="10.0.0.3:80"} NaN',
  'tidegate_counter_store_state 2',
];
const reading = (
  lines: readonly string[],
  at: number,
  throttled: Parameters<typeof frameOf>[1]['throttled'] = null,
) => ({
  at,
  samples: new Samples(lines.join('\n')),
  throttled,
});

describe('a frame of tidegate top', () => {
  const frame = frameOf(reading(BEFORE, AT), reading(NOW, AT + 4_000));

  it('tells rates, quantiles by buckets, and what is now', () => {
    expect(frame).to.deep.equal({
      at: '2026-11-27T12:00:04.000Z',
      seconds: 4,
      configuration: { ageSeconds: 7_300, pinned: 4 },
      process: { cpuPercent: 25, residentMb: 210, eventLoopP99Ms: 12.5, connections: 3 },
      requests: {
        perSecond: 13.5,
        byStatus: [
          { name: '200', perSecond: 11 },
          { name: '429', perSecond: 2 },
          { name: '503', perSecond: 0.5 },
        ],
      },
      endpoints: [
        {
          endpoint: 'query',
          perSecond: 12,
          p50Ms: 10,
          p95Ms: 100,
          p99Ms: null,
          refusedPerSecond: 2,
          failedPerSecond: 0,
        },
        {
          endpoint: 'track',
          perSecond: 1.5,
          p50Ms: null,
          p95Ms: null,
          p99Ms: null,
          refusedPerSecond: 0,
          failedPerSecond: 0.5,
        },
      ],
      limits: [{ name: 'plan', perSecond: 2 }],
      ingest: {
        receivedPerSecond: 5,
        storedPerSecond: 4,
        dropped: [{ name: 'faulty', perSecond: 1 }],
        waiting: 12,
      },
      services: [],
      upstreams: [
        { service: 'query', address: '10.0.0.1:80', healthy: true },
        { service: 'query', address: '10.0.0.2:80', healthy: false },
      ],
      counterStore: 2,
      throttled: null,
    });
  });

  it('counts from 0 where the process began anew in between', () => {
    const again = frameOf(reading(NOW, AT), reading([requests('query', '200', 8)], AT + 2_000));
    expect(again.requests.perSecond).to.equal(4);
  });

  it('is shown as text, with what is out and who is throttled', () => {
    const throttled = [
      {
        organization: 'org_a',
        key: 'key_1',
        endpoint: 'query',
        limit: 'plan',
        window: '60 s',
        refusals: 8,
        at: '2026-11-27T12:00:03.000Z',
        reset: '2026-11-27T12:00:30.000Z',
      },
    ];
    const text = renderFrame({ ...frame, throttled });
    expect(text).to.include('configuration in force for 2 h, number 4 is pinned\n');
    expect(text).to.include(
      'process       25 % of a processor, 210 MB, event loop p99 12.5 ms, 3 connections\n',
    );
    expect(text).to.include('requests      13.5 a second: 200 11.0, 429 2.0, 503 0.5\n');
    expect(text).to.include(
      'events        5.0 a second received, 4.0 stored, 1.0 dropped (faulty), 12 wait\n',
    );
    expect(text).to.include('Redis         does not answer\n');
    expect(text).to.match(/^query {5}12\.0 {8}≤ 10 {4}– {7}2\.0 {4}0\.0$/m);
    expect(text).to.match(/^org_a +key_1 +query +plan, 60 s +8 +2026-11-27T12:00:30\.000Z$/m);
    expect(text).to.match(/^query +10\.0\.0\.2:80 +OUT$/m);
    expect(renderFrame({ ...frame, throttled: [] })).to.include('Nobody was refused by a limit');
    expect(renderFrame(frame)).to.not.include('throttled');
    const hostile = { ...frame, limits: [{ name: '\x1b[2J', perSecond: 1 }] };
    const dropped = [{ name: '\x1b]0;x\x07', perSecond: 1 }];
    for (const each of [hostile, { ...frame, ingest: { ...frame.ingest, dropped } }])
      expect(renderFrame(each)).to.not.match(/[^\P{Cc}\n]/u);
  });
});
