/** Funnels in a real browser: made, changed and deleted where they are read, with numbers that are those of POST /v1/query. */
import { expect } from 'chai';
import type { Locator } from 'playwright-core';
import { expectSuccess } from '../../../../../support/answers.ts';
import { useDashboard, type Visitor } from '../../../../../support/dashboard.ts';
import { eventually } from '../../../../../support/eventually.ts';
import { define, eventIs, pageIs, trackVisits, VISIT_DAYS } from '../../../../../support/tracked-visits.ts';

const SHOP = '/dashboard/websites/web_shop';
const RANGE = `from=${VISIT_DAYS.from}&to=${VISIT_DAYS.to}`;
const FUNNELS = `${SHOP}/funnels?${RANGE}`;

describe('the screen of funnels', () => {
  const dashboard = useDashboard();

  before(() => trackVisits(dashboard.server));

  async function open(path: string, locale = 'en-US'): Promise<Visitor> {
    const visitor = await dashboard.newVisitor({ storageState: await dashboard.loggedIn(), locale });
    await visitor.page.goto(dashboard.origin + path);
    await visitor.settled();
    return visitor;
  }
  async function list() {
    const { server } = dashboard;
    const path = '/v1/funnels?website_id=web_shop&sort=name';
    const answer = await server.call('GET', path, { key: server.keys.all });
    expectSuccess(answer);
    return answer.body.data;
  }
  async function ask(question: object) {
    const { server } = dashboard;
    const body = { startDate: VISIT_DAYS.from, endDate: VISIT_DAYS.to, ...question };
    const answer = await server.call('POST', '/v1/query?website_id=web_shop', { key: server.keys.all, body });
    expectSuccess(answer);
    return answer.body.data[0].data;
  }
  /** What the cells of a row say, without what only readers of the screen hear. */
  const cells = async (row: Locator) =>
    (await row.locator('td').allInnerTexts()).map((text) => text.split(/\s*\n|\s+before: /)[0] ?? '');

  it('makes a funnel of steps that are added and moved, changes it, and deletes it', async () => {
    const visitor = await open(FUNNELS);
    const { page } = visitor;
    const dialog = page.getByRole('dialog');
    await page.getByText('No funnel yet').waitFor();
    await page.getByRole('button', { name: 'New funnel' }).click();
    await dialog.getByLabel('Name', { exact: true }).fill('Buy');
    await dialog.getByRole('button', { name: 'Add a step' }).click();
    const step = (number: number) => dialog.getByRole('group', { name: `Step ${number}`, exact: true });
    const value = (number: number) => step(number).getByLabel('Path or name');
    await value(1).fill('/pricing');
    await value(2).fill('/');
    await step(3).getByLabel('What counts').selectOption('event');
    await value(3).fill('purchase');
    await step(3).getByLabel('Name of the step').fill('Paid');
    await dialog.getByRole('button', { name: 'Move up: Step 2' }).press('Enter');
    expect([await value(1).inputValue(), await value(2).inputValue()]).to.deep.equal(['/', '/pricing']);
    await dialog.getByLabel('Within').fill('91');
    await dialog.getByRole('checkbox', { name: 'An event ends the attempt' }).check();
    const excluded = dialog.getByRole('group', { name: 'An event ends the attempt' });
    await excluded.getByLabel('Compared by').selectOption('matches');
    await excluded.getByLabel('Path or name').fill('(');
    visitor.allowRefusals();
    await dialog.getByRole('button', { name: 'Make funnel' }).click();
    await excluded.getByText(/missing closing/).waitFor();
    await dialog.getByText(/^At most 7776000/).waitFor();
    await excluded.getByLabel('Path or name').fill('^/cancel');
    await dialog.getByLabel('Within').fill('1');
    await dialog.getByLabel('Unit').selectOption('hours');
    await dialog.getByRole('button', { name: 'Make funnel' }).click();
    await page.getByText('Buy is made.').waitFor();
    const [funnel] = await list();
    expect(funnel).to.deep.include({ name: 'Buy', ordered: true, windowSeconds: 3_600 });
    expect(funnel.steps.map(({ match }: { match: { value: string } }) => match.value)).to.deep.equal([
      ...['/', '/pricing', 'purchase'],
    ]);
    const row = page.getByRole('row', { name: /^Buy/ });
    expect(await row.innerText()).to.match(
      /\/ → \/pricing → Paid\s+at most 1 hour, until: Page matches the pattern/,
    );

    await page.getByRole('button', { name: 'Change Buy' }).click();
    await dialog.getByRole('button', { name: 'Delete: Step 2' }).click();
    await dialog.getByRole('checkbox', { name: 'In this order' }).uncheck();
    const asked = await visitor.asks(async () => {
      await dialog.getByRole('button', { name: 'Save' }).click();
      await page.getByText('Buy is changed.').waitFor();
    });
    expect(asked).to.deep.equal([`PATCH /v1/funnels/${funnel.id}`, 'GET /v1/funnels']);
    expect((await list())[0]).to.deep.include({ ordered: false, windowSeconds: 3_600 });
    await page.getByRole('button', { name: 'Delete Buy' }).click();
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await page.getByText('No funnel yet').waitFor();
  });

  it('keeps steps with names from right to left in their order, each apart', async () => {
    const names = ['السلة', 'الدفع 2', 'شكرا'];
    const steps = names.map((name, index) => ({ name, ...pageIs(`/${index}`) }));
    const id = await define(dashboard.server, 'funnels', { name: 'Arabic', steps });
    const { page } = await open(FUNNELS);
    const shown = page.getByRole('row', { name: /^Arabic/ }).locator('.defined span bdi');
    expect(await shown.allInnerTexts()).to.deep.equal(names);
    const places = await Promise.all((await shown.all()).map((each) => each.boundingBox()));
    const lefts = places.map((place) => place?.x ?? 0);
    expect(lefts).to.deep.equal(lefts.toSorted((one, other) => one - other));
    await page.getByRole('link', { name: 'Arabic' }).click();
    await page.getByRole('heading', { level: 1, name: 'Shop: Arabic' }).waitFor();
    const { server } = dashboard;
    await server.call('DELETE', `/v1/funnels/${id}`, { key: server.keys.all });
  });

  it('shows the steps of a funnel as the API counts them, and leads to the sessions behind each', async () => {
    const steps = [pageIs('/'), pageIs('/pricing'), { name: 'Paid', ...eventIs('purchase') }];
    const id = await define(dashboard.server, 'funnels', { name: 'Buy', steps });
    const visitor = await open(`${FUNNELS}&compare=previous`);
    const { page } = visitor;
    const asked = await visitor.asks(() => page.getByRole('link', { name: 'Buy' }).click());
    expect(asked).to.deep.equal(['POST /v1/query']);
    // Of 3 who saw /, ada went on to /pricing after 60 s, and paid after 240 s more.
    const steps3 = [
      ['3', 'new', '100.0%', '100.0%', '–', '–'],
      ['1', 'new', '33.3%', '33.3%', '2', '1m'],
      ['1', 'new', '33.3%', '100.0%', '0', '4m'],
    ];
    const table = page.getByRole('table', { name: 'Steps' });
    const shown = async () => Promise.all((await table.locator('tbody tr').all()).map(cells));
    await eventually(shown).equals(steps3);
    const rows = await ask({ parameters: [{ name: 'funnel', funnelId: id }] });
    expect(rows.map(({ visitors, dropped }: Record<string, number>) => [visitors, dropped])).to.deep.equal([
      ...[
        [3, 0],
        [1, 2],
        [1, 0],
      ],
    ]);
    expect(rows[2]).to.include({ median_seconds_from_previous: 240, step_rate: 100 });

    const behind = async (row: number, link: number) => {
      const href = await table.locator('tbody tr').nth(row).getByRole('link').nth(link).getAttribute('href');
      return JSON.parse(new URL(href ?? '', dashboard.origin).searchParams.get('filters') ?? '');
    };
    expect(await behind(2, 0)).to.deep.equal([
      ['path', 'eq', '/', 'visitor'],
      ['path', 'eq', '/pricing', 'visitor'],
      ['event', 'eq', 'purchase', 'visitor'],
    ]);
    expect(await behind(1, 1)).to.deep.equal([
      ['path', 'eq', '/', 'visitor'],
      ['path', 'eq', '/pricing', 'no_visitor'],
    ]);

    await page.getByLabel('Line').selectOption({ label: 'Took the first step' });
    await eventually(() => page.getByRole('slider').getAttribute('aria-valuetext')).satisfies((text) =>
      expect(text).to.match(/^Wed, Jan 15, 1, before: 0$/),
    );
    await page.getByRole('button', { name: 'Show as table' }).click();
    const line = page.getByRole('table', { name: 'Took the first step over time' });
    await eventually(() => cells(line.locator('tbody tr').first())).equals(['1', '100.0%', '1', '5m', '0']);

    await page.getByLabel('Group by').selectOption({ label: 'A property of events' });
    await page.getByLabel('Name of the property').fill('plan');
    await page.getByRole('button', { name: 'Apply' }).click();
    await eventually(() => cells(page.getByRole('row', { name: /^Unknown/ }))).equals([
      '33.3%',
      '3',
      '1',
      '1',
    ]);
    await page.getByLabel('Group by').selectOption({ label: 'Language' });
    const german = page.getByRole('row', { name: /^German/ });
    await eventually(() => cells(german)).equals(['50.0%', '2', '1', '1']);
    await german.getByRole('button').click();
    await page.getByRole('button', { name: 'Language is German', exact: true }).waitFor();
    await eventually(async () => (await shown())[0]?.[0]).equals('2');

    const { server } = dashboard;
    await server.call('DELETE', `/v1/funnels/${id}`, { key: server.keys.all });
    await page.getByRole('button', { name: 'Refresh' }).click();
    await page.getByText('No website that is queried has the funnel').first().waitFor();
    visitor.allowRefusals();
    await page.reload();
    await page.getByText('There is nothing at this address.').waitFor();
  });
});
