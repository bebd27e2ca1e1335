/** Lists and totals on the screens of a website, held against what `POST /v1/query` answers to the same question. */
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import type { Dashboard, Visitor } from './dashboard.ts';
import { eventually } from './eventually.ts';
import {
  NO_NUMBER,
  type NumberKind,
  SHOWN_NUMBER,
  shownChange,
  shownInstant,
  withPlainBlanks,
} from './shown-values.ts';

const DAY_MS = 86_400_000;
const day = (back: number) => new Date(Date.now() - back * DAY_MS).toISOString().slice(0, 10);

/** Days that are over, so that midnight changes nothing: as texts, in an address, in a request, and noon of the last one as an instant. */
const [first, last] = [day(24), day(4)];
export const PAST = {
  first,
  address: `from=${first}&to=${last}`,
  request: { startDate: first, endDate: last },
  noon: Date.parse(`${last}T12:00:00Z`),
};

export type Row = Readonly<Record<string, unknown>>;

/** A column that is shown: its key, and how its values are written; a function tells the text of a row. */
export type ShownColumn =
  | readonly [key: string, kind: NumberKind | 'text' | 'instant']
  | ((row: Row) => string);

/** The rows of a dataset as the API answers them. */
export async function ask(
  { server }: Dashboard,
  parameter: string | object,
  request: object,
  website = 'web_shop',
): Promise<readonly Row[]> {
  const { status, body } = await server.call('POST', `/v1/query?website_id=${website}&timezone=UTC`, {
    key: server.keys.readOnly,
    body: { parameters: [parameter], ...request },
  });
  expect([status, body.data?.[0]?.success], JSON.stringify(body).slice(0, 300)).to.deep.equal([200, true]);
  return body.data[0].data;
}

/** Goes to an address as a link does, and waits until its screen has its answers. */
export async function go({ page, settled }: Visitor, path: string): Promise<void> {
  await page.evaluate(
    `history.pushState(null, '', ${JSON.stringify(path)}); dispatchEvent(new PopStateEvent('popstate'))`,
  );
  await page.locator('main h1').first().waitFor();
  await settled();
}

/** The cells of a list by the name that it has for readers of the screen. */
export const cellsOf = (page: Page, title: string): Promise<string[][]> =>
  page.evaluate<string[][]>(
    `[...document.querySelectorAll('section.table')].filter((each) => each.getAttribute('aria-label') === ${JSON.stringify(title)})
      .flatMap((table) => [...table.querySelectorAll('tbody tr')]).map((row) => [...row.cells].map((cell) => cell.textContent))`,
  );

/** Waits until a list shows these rows, and no other; `compared`: the column behind which a change stands. */
export async function expectList(
  page: Page,
  title: string,
  rows: readonly Row[],
  columns: readonly ShownColumn[],
  compared?: readonly [key: string, kind: NumberKind],
): Promise<void> {
  expect(rows.length, `rows of ${title}`).to.be.above(0);
  const expected = rows.map((row) =>
    columns.flatMap((column) => {
      const own = textOf(row, column);
      if (compared === undefined || typeof column === 'function' || column[0] !== compared[0]) return [own];
      const [key, kind] = compared;
      const before = (row.previous as Row | null)?.[key] ?? null;
      return [own, shownChange(kind, Number(row[key]), before === null ? null : Number(before))];
    }),
  );
  const read = async () => (await cellsOf(page, title)).map((cells) => cells.map(withPlainBlanks));
  await eventually(read, title).equals(expected);
}

function textOf(row: Row, column: ShownColumn): string {
  if (typeof column === 'function') return withPlainBlanks(column(row));
  const [key, kind] = column;
  const value = row[key];
  if (value === null || value === undefined || value === '') return '–';
  if (kind === 'text') return withPlainBlanks(String(value));
  return kind === 'instant' ? shownInstant(String(value)) : SHOWN_NUMBER[kind](Number(value));
}

/** Waits until the tiles show these numbers of a row; null: there is none. */
export async function expectTiles(
  page: Page,
  values: readonly (readonly [value: unknown, kind: NumberKind])[],
): Promise<void> {
  await eventually(() => page.locator('.tile strong').allTextContents()).equals(
    values.map(([value, kind]) => (value === null ? NO_NUMBER : SHOWN_NUMBER[kind](Number(value)))),
  );
}

/** Waits until the table in place of the line shows these buckets; columns without what `needs` counts have no number. */
export async function expectSeries(
  page: Page,
  title: string,
  rows: readonly Row[],
  columns: readonly (readonly [key: string, kind: NumberKind, needs?: string])[],
): Promise<void> {
  expect(rows.length, `buckets of ${title}`).to.be.above(0);
  const expected = rows.map((row) =>
    columns.map(([key, kind, needs]) =>
      needs !== undefined && row[needs] === 0 ? NO_NUMBER : SHOWN_NUMBER[kind](Number(row[key])),
    ),
  );
  await eventually(async () => (await cellsOf(page, title)).map(([, ...cells]) => cells), title).equals(
    expected,
  );
}
