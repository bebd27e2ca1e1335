/** Holds what a list of the dashboard names against the catalogue of datasets: what the API does not have would fail the list. */
import { expect } from 'chai';
import type { Listing } from '../../services/dashboard/client/drill/listing.ts';
import type { Series } from '../../services/dashboard/client/drill/series.ts';
import type { Total } from '../../services/dashboard/client/drill/total.ts';
import { filterFieldsOf } from '../../services/query/catalogue/filter-fields.ts';
import { DATASETS_BY_NAME } from '../../services/query/datasets/index.ts';

function columnsOf(name: string) {
  const dataset = DATASETS_BY_NAME.get(name);
  if (dataset === undefined) throw new Error(`There is no dataset ${name}.`);
  return { dataset, columns: dataset.columns.map((column) => column.name) };
}

/** Columns, order, search, filters, grouping and arguments of a list are those of its dataset. */
export function expectListingKnown(listing: Listing): void {
  const { dataset, columns } = columnsOf(listing.dataset);
  const groups = listing.groupBy ?? [];
  expect(dataset.extraDimensions, `${listing.dataset} groups by`).to.include.members([...groups]);
  const known = [...columns, ...groups];
  const keys = listing.columns.flatMap(({ key, codeFrom }) => (codeFrom ? [key, codeFrom] : [key]));
  expect(known, listing.dataset).to.include.members(keys);
  const sorted = listing.columns.filter(({ isUnsorted }) => !isUnsorted).map(({ key }) => key);
  if (listing.sort !== '')
    expect(sorted, `${listing.dataset} is sorted by`).to.include(listing.sort.replace(/^-/, ''));
  const texts = dataset.columns.filter(({ value }) => value.from === 'dimension').map(({ name }) => name);
  expect(texts, `${listing.dataset} searches`).to.include.members([...(listing.searched ?? [])]);
  const given = Object.keys(listing.arguments ?? {});
  expect(Object.keys(dataset.arguments?.shape ?? {}), `arguments of ${listing.dataset}`).to.include.members(
    given,
  );
  const ofGoal = dataset.columns.filter((column) => column.ofGoal).map(({ name }) => name);
  if (given.length === 0) expect(ofGoal.filter((name) => keys.includes(name))).to.deep.equal([]);
  expectFiltersKnown(listing.dataset, listing.where ?? []);
}

/** Every field of the filters, in groups too, may filter the dataset. */
export function expectFiltersKnown(name: string, where: readonly object[]): void {
  const allowed = filterFieldsOf(columnsOf(name).dataset);
  const fields = [...JSON.stringify(where).matchAll(/"field":"([^"]+)"/g)].map(([, field]) => field ?? '');
  expect(allowed, `${name} filters by`).to.include.members(fields);
}

export function expectTotalsKnown(totals: readonly Total[]): void {
  for (const { dataset, key, needs = key, needsOf = dataset } of totals) {
    expect(columnsOf(dataset).columns, dataset).to.include(key);
    expect(columnsOf(needsOf).columns, needsOf).to.include(needs);
  }
}

export function expectSeriesKnown({ dataset, columns }: Series): void {
  expect(columnsOf(dataset).dataset.kind).to.equal('series');
  for (const { key, needs = key } of columns) {
    expect(columnsOf(dataset).columns, dataset).to.include.members([key, needs]);
  }
}
