/** The log of clicks: each stored once, tried again while the store refuses, bounded, and counted where one is lost. */
import { expect } from 'chai';
import { ApiError } from '../../../../services/shared/errors/api-error.ts';
import { PrometheusMetrics } from '../../../../services/shared/metrics/prometheus-metrics.ts';
import type { EventRecord } from '../../../../services/shared/model/event-record.ts';
import { NO_REPEATS } from '../../../../services/shared/ports/event-store.ts';
import {
  createClickLog,
  MOST_WAITING,
  MOST_WAITING_CHARACTERS,
} from '../../../../services/tracking/redirect/click-log.ts';
import { eventRecord } from '../../../support/event-record.ts';
import { createLogWatch } from '../../../support/log-watch.ts';
import { until } from '../../../support/until.ts';

describe('the log of clicks', () => {
  let appended: EventRecord[];
  let refusal: Error | null;
  /** How often the store refused. */
  let refusals: number;
  let metrics: PrometheusMetrics;
  let clicks: ReturnType<typeof createClickLog>;

  let isLow: boolean;

  beforeEach(() => {
    appended = [];
    refusal = null;
    refusals = 0;
    metrics = new PrometheusMetrics();
    const append = async (events: readonly EventRecord[]) => {
      await new Promise((resolve) => setImmediate(resolve));
      if (refusal !== null) {
        refusals++;
        throw refusal;
      }
      appended.push(...events);
      return NO_REPEATS;
    };
    isLow = false;
    const disk = { isLow: () => isLow };
    clicks = createClickLog({ events: { append }, metrics, logger: createLogWatch().logger, disk });
  });

  const record = (count: number) => {
    for (let i = 0; i < count; i++)
      clicks.record(eventRecord({ event_name: 'link_click', event_id: `${i}` }));
  };
  async function expectOutcomes(stored: number, lost: number): Promise<void> {
    const text = await metrics.text();
    expect(text).to.include(`tidegate_link_clicks_total{outcome="stored"} ${stored}`);
    expect(text).to.include(`tidegate_link_clicks_total{outcome="lost"} ${lost}`);
    expect(text).to.include('tidegate_link_clicks_waiting 0');
  }

  it('loses the clicks that come while the disk is low, and stores those before and after', async () => {
    record(2);
    isLow = true;
    record(3);
    isLow = false;
    record(1);
    await clicks.close();
    expect(appended).to.have.length(3);
    await expectOutcomes(3, 3);
  });

  it('stores every click once and in order, what waits at the end too', async () => {
    record(2_500);
    await clicks.close();
    expect(appended.map(({ event_id }) => event_id)).to.deep.equal(
      Array.from({ length: 2_500 }, (_, i) => `${i}`),
    );
    await expectOutcomes(2_500, 0);
  });

  it('tries again what the store refused for a while, and loses nothing', async () => {
    refusal = new ApiError('SERVICE_UNAVAILABLE');
    record(10);
    await until('the store has refused them', () => refusals > 0);
    expect(appended).to.have.length(0);
    refusal = null;
    record(5);
    await clicks.close();
    expect(appended).to.have.length(15);
    await expectOutcomes(15, 0);
  });

  it('holds a bounded number of clicks while the store is full, and counts those that it loses', async () => {
    refusal = new ApiError('SERVICE_UNAVAILABLE');
    record(MOST_WAITING + 3);
    await clicks.close();
    expect(appended).to.have.length(0);
    await expectOutcomes(0, MOST_WAITING + 3);
  });

  it('holds a bounded amount of text, however long what visitors send is, and takes more once that is stored', async () => {
    refusal = new ApiError('SERVICE_UNAVAILABLE');
    const long = eventRecord({ event_name: 'link_click', referrer: 'r'.repeat(10_000) });
    for (let i = 0; i < 3_000; i++) clicks.record(long);
    const [, held] = /tidegate_link_clicks_waiting (\d+)/.exec(await metrics.text()) ?? [];
    expect(Number(held)).to.be.within(1_900, MOST_WAITING_CHARACTERS / 10_000);
    refusal = null;
    await until('what waits is stored', () => appended.length === Number(held));
    record(5);
    await clicks.close();
    await expectOutcomes(Number(held) + 5, 3_000 - Number(held));
  });

  it("lets a click that the store never takes stand in nobody else's way", async () => {
    refusal = new Error('a fault of its own');
    record(1);
    await until('it is given up', async () => (await metrics.text()).includes('{outcome="lost"} 1'));
    refusal = null;
    record(2);
    await clicks.close();
    expect(appended).to.have.length(2);
    await expectOutcomes(2, 1);
  });
});
