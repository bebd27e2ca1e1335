/** The numbers of the overview in a real browser: every figure, point of the line and row is what the API answers. */
import { expect } from 'chai';
import { MEASURES } from '../../../../../../services/dashboard/client/screens/overview/measures.ts';
import { type List, PANELS } from '../../../../../../services/dashboard/client/screens/overview/panels.ts';
import { dayIn, PRESETS } from '../../../../../../services/dashboard/client/website/calendar.ts';
import {
  granularitiesOf,
  type Range,
  rangeFields,
  rangeParameters,
} from '../../../../../../services/dashboard/client/website/range.ts';
import { createRandom } from '../../../../../sample/random.ts';
import { useDashboard, type Visitor } from '../../../../../support/dashboard.ts';
import { eventually } from '../../../../../support/eventually.ts';
import { importSample } from '../../../../../support/import-sample.ts';

/** How many combinations of range, zone, granularity, measure and lists, over all zones; `OVERVIEW_COMBINATIONS=50` is the long form. */
const COMBINATIONS = Number(process.env.OVERVIEW_COMBINATIONS ?? 12);
const ZONES = ['UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kathmandu', 'Pacific/Auckland'];
const DAYS = 80;
const DAY_MS = 86_400_000;

type Row = Record<string, string | number>;

/** What stands in the document, read at once. */
interface Shown {
  tiles: string[];
  lines: string[];
  ground: number;
  points: number;
  lists: Record<string, string[][]>;
}
const READ = `(() => {
  const texts = (selector, within = document) => [...within.querySelectorAll(selector)].map((each) => each.textContent);
  const rows = (place) => [...place.querySelectorAll('tbody tr')].map((row) => texts('th, td', row));
  const lists = Object.fromEntries(${JSON.stringify(PANELS.map(({ key }) => key))}.map(
    (key) => [key, rows(document.querySelector('.panel-' + key))]));
  return {
    tiles: texts('.tile strong'),
    lines: [...document.querySelectorAll('.chart path.line')].map((each) => each.getAttribute('d')),
    ground: Number(document.querySelector('.chart .tick line').getAttribute('y1')),
    points: document.querySelectorAll('.chart .point').length,
    lists,
  };
})()`;
const SERIES = `[...document.querySelectorAll('.overview > .numbers tbody tr')].map(
  (row) => [...row.querySelectorAll('td')].map((each) => each.textContent))`;

const number = new Intl.NumberFormat('en');
const ONE_DECIMAL = { minimumFractionDigits: 1, maximumFractionDigits: 1 };
const percent = new Intl.NumberFormat('en', { style: 'percent', ...ONE_DECIMAL });

function durationText(value: number): string {
  const whole = Math.round(value);
  const [hours, minutes, seconds] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  if (hours > 0) return minutes > 0 ? `${hours}h ${minutes}m` : `${hours}h`;
  if (minutes > 0) return seconds > 0 ? `${minutes}m ${seconds}s` : `${minutes}m`;
  return `${seconds}s`;
}
const TEXT = {
  count: (value: number) => number.format(value),
  percent: (value: number) => percent.format(value / 100),
  duration: durationText,
};
/** What the page shows in place of a rate or a duration of no session. */
const NONE = '–no number';
const measured = (row: Row) =>
  MEASURES.map(({ column, kind }) =>
    kind !== 'count' && row.sessions === 0 ? NONE : TEXT[kind](Number(row[column])),
  );

describe('the numbers of the overview', () => {
  const dashboard = useDashboard();
  const random = createRandom(20_261_123);
  const pick = <T>(from: readonly T[]): T => from[random.whole(from.length)] as T;

  before(async () => {
    const { server } = dashboard;
    await importSample(server, {
      id: 'web_shop',
      domain: 'shop.example.com',
      events: 8_000,
      days: DAYS,
      seed: 7,
    });
  });

  /** Hours and days of every zone begin with one of its quarters. */
  const quarterNow = () => Math.floor(Date.now() / 900_000);

  async function ask(zone: string, request: object): Promise<Row[]> {
    const { status, body } = await dashboard.server.call(
      'POST',
      `/v1/query?website_id=web_shop&timezone=${encodeURIComponent(zone)}`,
      { key: dashboard.server.keys.readOnly, body: request },
    );
    expect([status, body.data?.[0]?.success], JSON.stringify(body).slice(0, 300)).to.deep.equal([200, true]);
    return body.data[0].data;
  }

  function randomRange(today: string): Range {
    if (random.next() < 0.45) return { preset: pick(PRESETS) };
    const back = (days: number) => new Date(Date.parse(today) - days * DAY_MS).toISOString();
    const last = random.whole(DAYS + 20);
    const first = last + random.whole(pick([1, 7, 31, 95]));
    if (random.next() < 0.25) return { from: back(last + 1), to: back(last) };
    return { first: back(first).slice(0, 10), last: back(last).slice(0, 10) };
  }

  /** Goes to an address as a link does, and waits until its numbers are there. */
  async function show({ page, settled }: Visitor, path: string): Promise<Shown> {
    const answered = page.waitForResponse(
      (response) => response.request().postData()?.includes('"numbers"') ?? false,
    );
    await page.evaluate(
      `history.pushState(null, '', ${JSON.stringify(path)}); dispatchEvent(new PopStateEvent('popstate'))`,
    );
    await answered;
    await page.locator('.overview[aria-busy=false] .chart .tick').first().waitFor();
    await settled();
    return (await page.evaluate(READ)) as Shown;
  }

  const seen = new Set<string>();
  for (const zone of ZONES) {
    it(`are those of POST /v1/query in random combinations of range, granularity, measure and lists: ${zone}`, async () => {
      const { server } = dashboard;
      const changed = await server.call('PATCH', '/v1/organization', {
        key: server.keys.all,
        body: { timezone: zone },
      });
      expect(changed.status).to.equal(200);
      const visitor = await dashboard.enter();
      for (let index = 0; index < COMBINATIONS / ZONES.length; ) {
        const quarter = quarterNow();
        const today = dayIn(zone, Date.now());
        const range = randomRange(today);
        const granularity = pick(granularitiesOf(range, today));
        const key = JSON.stringify([zone, range, granularity]);
        if (granularity === undefined || seen.has(key)) continue;
        seen.add(key);
        const series = await ask(zone, { parameters: ['summary'], ...rangeFields(range), granularity });
        // Without an event there is no line; the empty overview has a test of its own.
        if (series.every(({ sessions }) => sessions === 0)) continue;
        const measure = pick(MEASURES);
        const lists = PANELS.map((panel) => [panel.key, pick(panel.lists)] as const);
        const parameters: Record<string, string | undefined> = {
          ...rangeParameters(range),
          by: granularity,
          measure: measure.key,
          ...Object.fromEntries(lists.map(([panel, { dataset }]) => [panel, dataset])),
        };
        const named = Object.entries(parameters).flatMap(([name, value]) =>
          value === undefined ? [] : [[name, value] as [string, string]],
        );
        const address = `/dashboard/websites/web_shop?${new URLSearchParams(named)}`;
        const shown = await show(visitor, address);
        const [totals = {}] = await ask(zone, { parameters: ['summary_metrics'], ...rangeFields(range) });
        const answers: Row[][] = [];
        for (const [, { dataset }] of lists) {
          answers.push(await ask(zone, { parameters: [dataset], ...rangeFields(range), limit: 12 }));
        }
        const begun = series.filter(({ date, timestamp }) =>
          timestamp === undefined ? String(date) <= today : Date.parse(String(timestamp)) <= Date.now(),
        );
        await visitor.page.getByRole('button', { name: 'Show as table', exact: true }).click();
        const isSame = () => quarterNow() === quarter;
        await eventually(() => visitor.page.evaluate(SERIES), key).satisfies((rows) => {
          if (isSame()) expect(rows).to.deep.equal(begun.map(measured));
        });
        // Of an hour or a day that began meanwhile nobody knows who counted it; another combination takes its place.
        if (!isSame()) continue;
        index++;
        expect(shown.tiles, key).to.deep.equal(measured(totals));
        expectLine(
          shown,
          begun.map((row) => Number(row[measure.column])),
          `${key} ${measure.key}`,
        );
        for (const [place, [panel, list]] of lists.entries()) {
          expectRows(shown.lists[panel] ?? [], answers[place] ?? [], list, `${key} ${list.dataset}`);
        }
      }
    });
  }

  /** Heights over the ground are to each other as the values are. */
  function expectLine({ lines, ground, points }: Shown, values: readonly number[], label: string): void {
    if (values.length === 1) {
      expect([lines, points], label).to.deep.equal([[], 1]);
      return;
    }
    const heights = lines.flatMap((path, index) => {
      const places = path
        .slice(1)
        .split('L')
        .map((place) => ground - Number(place.split(',')[1]));
      // A piece begins where the one before ends.
      return index === 0 ? places : places.slice(1);
    });
    expect(heights.length, label).to.equal(values.length);
    const most = Math.max(...values);
    const highest = Math.max(...heights);
    for (const [index, value] of values.entries()) {
      const expected = most === 0 ? 0 : (value / most) * highest;
      expect(heights[index], `${label}, point ${index}`).to.be.closeTo(expected, 0.01);
    }
    // Nearly as high as the chart, so that differences are seen.
    if (most > 0) expect(highest, label).to.be.above(100);
  }

  function expectRows(shown: string[][], rows: readonly Row[], list: List, label: string): void {
    const kept = rows.filter(({ name }) => name !== list.leavesOut).slice(0, 10);
    const [first, second] = list.columns;
    expect(
      shown.map(([, ...numbers]) => numbers),
      label,
    ).to.deep.equal(
      kept.map((row) => [
        number.format(Number(row[first])),
        number.format(Number(row[second])),
        percent.format(Number(row.percentage) / 100),
      ]),
    );
    if (list.kind !== 'text') return;
    expect(
      shown.map(([name]) => name),
      label,
    ).to.deep.equal(kept.map(({ name }) => name));
  }
});
