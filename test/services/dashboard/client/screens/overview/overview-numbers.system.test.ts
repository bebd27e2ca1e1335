/** The numbers of the overview in a real browser: every figure, point of the line and row is what the API answers. */
import { expect } from 'chai';
import {
  MEASURES,
  type Measure,
} from '../../../../../../services/dashboard/client/screens/overview/measures.ts';
import { type List, PANELS } from '../../../../../../services/dashboard/client/screens/overview/panels.ts';
import { dayIn, PRESETS } from '../../../../../../services/dashboard/client/website/calendar.ts';
import {
  granularitiesOf,
  type Range,
  rangeFields,
  rangeParameters,
} from '../../../../../../services/dashboard/client/website/range.ts';
import {
  type Comparison,
  comparisonFields,
  comparisonParameters,
} from '../../../../../../services/dashboard/client/website/scene-comparison.ts';
import {
  type Filter,
  filterFields,
  filtersText,
} from '../../../../../../services/dashboard/client/website/scene-filters.ts';
import { createRandom } from '../../../../../sample/random.ts';
import { useDashboard, type Visitor } from '../../../../../support/dashboard.ts';
import { isDistributedRun } from '../../../../../support/distributed/test-mode.ts';
import { eventually } from '../../../../../support/eventually.ts';
import { importSample } from '../../../../../support/import-sample.ts';
import {
  NO_NUMBER,
  SHOWN_NUMBER,
  shownChange,
  shownName,
  withPlainBlanks,
} from '../../../../../support/shown-values.ts';
import { define, eventIs, pageIs } from '../../../../../support/tracked-visits.ts';

const ZONES = ['UTC', 'Asia/Kathmandu', 'Europe/Berlin', 'America/New_York', 'Pacific/Auckland'];
/** How many combinations of range, zone, granularity, filters, comparison, measure and lists, over all zones; `OVERVIEW_COMBINATIONS=50` is the long form. */
const COMBINATIONS = Number(process.env.OVERVIEW_COMBINATIONS ?? 12);
const MORE_ROWS = 100;
const DAYS = 80;
const DAY_MS = 86_400_000;

type Row = Record<string, string | number | object | null>;

/** What stands in the document, read at once. */
interface Shown {
  tiles: string[];
  changes: string[];
  /** Heights of the points over the ground, piece by piece. */
  lines: number[][];
  before: number[][];
  points: number;
  lists: Record<string, string[][]>;
}
const READ = `(() => {
  const texts = (selector, within = document) => [...within.querySelectorAll(selector)].map((each) => each.textContent);
  const rows = (place) => [...place.querySelectorAll('tbody tr')].map((row) => texts('th, td', row));
  const ground = document.querySelector('.chart .tick line')?.getAttribute('y1');
  const heights = (line) => [...document.querySelectorAll('.chart ' + line)].map((path) =>
    path.getAttribute('d').split(/[MLZ]/).filter((at) => at !== '').map((at) => ground - at.split(',')[1]));
  const lists = Object.fromEntries(${JSON.stringify(PANELS.map(({ key }) => key))}.map(
    (key) => [key, rows(document.querySelector('.panel-' + key))]));
  return {
    tiles: texts('.tile strong'),
    changes: [...document.querySelectorAll('.tile')].map((each) => texts('strong + *', each)[0] ?? ''),
    lines: heights('path.line:not(.before)'),
    before: heights('path.line.before'),
    points: document.querySelectorAll('.chart .point').length,
    lists,
  };
})()`;
const SERIES = `[...document.querySelectorAll('.overview > .numbers tbody tr')].map(
  (row) => [...row.querySelectorAll('td')].map((each) => each.textContent))`;

const measuredOne = ({ column, kind }: Measure, row: Row) =>
  kind !== 'count' && row.sessions === 0 ? NO_NUMBER : SHOWN_NUMBER[kind](Number(row[column]));
const measured = (row: Row) => MEASURES.map((measure) => measuredOne(measure, row));
const previousOf = ({ previous }: Row) => (previous ?? null) as Row | null;

/** Filters of every operator, of sessions, visitors and events. */
const FILTERS: readonly (readonly Filter[])[] = [
  [],
  [],
  [{ dimension: 'device', operator: 'eq', value: 'mobile', of: 'session' }],
  [{ dimension: 'device', operator: 'ne', value: 'mobile', of: 'event' }],
  [{ dimension: 'path', operator: 'starts_with', value: '/p', of: 'visitor' }],
  [{ dimension: 'path', operator: 'not_contains', value: 'price', of: 'event' }],
  [{ dimension: 'source', operator: 'missing', value: '', of: 'session' }],
  [
    { dimension: 'country', operator: 'present', value: '', of: 'session' },
    { dimension: 'path', operator: 'contains', value: 'a', of: 'session' },
  ],
];
const COMPARISONS: readonly (Comparison | undefined)[] = [
  undefined,
  { period: 'previous', isByWeekday: false },
  { period: 'previous', isByWeekday: true },
  { period: 'year', isByWeekday: false },
];

describe('the numbers of the overview', () => {
  const dashboard = useDashboard();
  const random = createRandom(20_261_123);
  const pick = <T>(from: readonly T[]): T => from[random.whole(from.length)] as T;

  before(async () => {
    const { server } = dashboard;
    const about = { id: 'web_shop', domain: 'shop.example.com' };
    await importSample(server, { ...about, events: 8_000, days: DAYS, seed: 7 });
    await define(server, 'goals', { name: 'Prices', ...pageIs('/pricing') });
    await define(server, 'goals', { name: 'Sign-up', ...eventIs('signup') });
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
  let opened = 0;
  after(() => expect(opened, 'longer lists that were looked at').to.be.above(0));

  // Two over separate processes, where the others take the same way.
  for (const zone of ZONES.slice(0, isDistributedRun() ? 2 : 5)) {
    it(`are those of POST /v1/query in random combinations of range, granularity, filters, comparison, measure and lists: ${zone}`, async () => {
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
        const filters = pick(FILTERS);
        const comparison = pick(COMPARISONS);
        const about = { ...rangeFields(range), ...filterFields(filters), ...comparisonFields(comparison) };
        const key = JSON.stringify([zone, range, granularity, filters, comparison]);
        if (granularity === undefined || seen.has(key)) continue;
        seen.add(key);
        const series = await ask(zone, { parameters: ['summary'], ...about, granularity });
        // Without an event there is no line; the empty overview has a test of its own.
        if (series.every(({ sessions }) => sessions === 0)) continue;
        const measure = pick(MEASURES);
        const lists = PANELS.map((panel) => [panel.key, pick(panel.lists)] as const);
        const parameters: Record<string, string | undefined> = {
          ...rangeParameters(range),
          ...comparisonParameters(comparison),
          filters: filtersText(filters),
          by: granularity,
          measure: measure.key,
          ...Object.fromEntries(lists.map(([panel, { dataset }]) => [panel, dataset])),
        };
        const named = Object.entries(parameters).flatMap(([name, value]) =>
          value === undefined ? [] : [[name, value] as [string, string]],
        );
        const address = `/dashboard/websites/web_shop?${new URLSearchParams(named)}`;
        const shown = await show(visitor, address);
        const [totals = {}] = await ask(zone, { parameters: ['summary_metrics'], ...about });
        const answers: Row[][] = [];
        for (const [, { dataset }] of lists) {
          answers.push(await ask(zone, { parameters: [dataset], ...about, limit: 12 }));
        }
        const begun = series.filter(({ date, timestamp }) =>
          timestamp === undefined ? String(date) <= today : Date.parse(String(timestamp)) <= Date.now(),
        );
        await visitor.page.getByRole('button', { name: 'Show as table', exact: true }).click();
        const isSame = () => quarterNow() === quarter;
        await eventually(() => visitor.page.evaluate(SERIES), key).satisfies((rows) => {
          if (isSame()) expect(rows).to.deep.equal(begun.map((row) => tableRow(row, measure, comparison)));
        });
        // Of an hour or a day that began meanwhile nobody knows who counted it; another combination takes its place.
        if (!isSame()) continue;
        index++;
        expect(shown.tiles, key).to.deep.equal(measured(totals));
        const changes = MEASURES.map(({ kind, column }) => changeOf(totals, column, kind));
        if (comparison) expect(shown.changes.map(withPlainBlanks), key).to.deep.equal(changes);
        const chosen = (row: Row) => Number(row[measure.column]);
        // Of what has not begun too: the other period is over.
        const before = series
          .map(previousOf)
          .filter((row) => row !== null)
          .map(chosen);
        expectLines(shown, begun.map(chosen), comparison ? before : [], `${key} ${measure.key}`);
        for (const [place, [panel, list]] of lists.entries()) {
          expectRows(shown.lists[panel] ?? [], answers[place] ?? [], list, `${key} ${list.dataset}`);
        }
        // Rows that are not shown at first.
        const [panel, list] = pick(lists);
        const more = visitor.page.locator(`.panel-${panel}`).getByRole('button', { name: 'Show more' });
        if ((await more.count()) === 0) continue;
        await more.click();
        await visitor.settled();
        const { lists: longer } = (await visitor.page.evaluate(READ)) as Shown;
        const rows = await ask(zone, { parameters: [list.dataset], ...about, limit: MORE_ROWS + 1 });
        expectRows(longer[panel] ?? [], rows, list, `${key} more of ${list.dataset}`, MORE_ROWS);
        opened++;
      }
    });
  }

  /** A bucket in the table in place of the line: every measure, and the chosen one in the other period. */
  function tableRow(row: Row, measure: Measure, comparison: Comparison | undefined): string[] {
    if (comparison === undefined) return measured(row);
    const previous = previousOf(row);
    return [...measured(row), previous === null ? NO_NUMBER : measuredOne(measure, previous)];
  }

  /** How a number changed, as it stands beside it. */
  function changeOf(row: Row, column: string, kind: Measure['kind']): string {
    const previous = previousOf(row);
    const isKnown = previous !== null && (kind === 'count' || previous.sessions !== 0);
    return shownChange(kind, Number(row[column]), isKnown ? Number(previous[column]) : null);
  }

  /** Heights over the ground are to each other as the values are, those of the other period too. */
  function expectLines(
    { lines, before, points }: Shown,
    values: readonly number[],
    valuesBefore: readonly number[],
    label: string,
  ): void {
    if (values.length === 1) expect([lines, points], label).to.deep.equal([[], 1]);
    // A piece begins where the one before ends.
    const heights = lines.flatMap((piece, index) => piece.slice(index === 0 ? 0 : 1));
    if (values.length > 1) expect(heights.length, label).to.equal(values.length);
    const heightsBefore = before.flat();
    expect(heightsBefore.length, `${label}, before`).to.equal(valuesBefore.length);
    const drawn = [...heights, ...heightsBefore];
    const expected = [...(values.length > 1 ? values : []), ...valuesBefore];
    // As high as the axis goes, which both lines share.
    const highest = Math.max(0, ...drawn);
    const most = Math.max(0, ...expected);
    for (const [index, value] of expected.entries()) {
      const height = most === 0 ? 0 : (value / most) * highest;
      expect(drawn[index], `${label}, point ${index}`).to.be.closeTo(height, 0.01);
    }
    // Nearly as high as the chart, so that differences are seen; one point alone may be higher.
    if (most > 0 && values.length > 1) expect(highest, label).to.be.above(100);
  }

  function expectRows(shown: string[][], rows: readonly Row[], list: List, label: string, most = 10): void {
    const kept = rows.filter(({ name }) => name !== list.leavesOut).slice(0, most);
    const [first, second] = list.columns;
    expect(
      shown.map(([, ...numbers]) => numbers.map(withPlainBlanks)),
      label,
    ).to.deep.equal(
      kept.map((row) => [
        SHOWN_NUMBER.count(Number(row[first])),
        ...('previous' in row ? [changeOf(row, first, 'count')] : []),
        SHOWN_NUMBER.count(Number(row[second])),
        SHOWN_NUMBER.percent(Number(row[list.percent ?? 'percentage'])),
      ]),
    );
    expect(
      shown.map(([name]) => name),
      label,
    ).to.deep.equal(kept.map((row) => shownName(row, list.kind)));
  }
});
