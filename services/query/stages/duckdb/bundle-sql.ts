/** The rows of several lists as DuckDB SQL: one scan groups events or sessions for each of them, which are then ordered and cut. */
import type { BundledList, QueryPlan } from '../query-plan.ts';
import { keyColumn, markOfList, rowNames } from '../row-names.ts';
import { compileMeasures, groupSetsSql } from './group-sql.ts';
import { keySelected, orderSql, totalSql } from './list-sql.ts';
import { type Bind, shownSql } from './text-sql.ts';

type Lists = readonly BundledList[];

/** The rows of all lists, with the shown values of each. */
export function bundleRowsSql(plan: QueryPlan, lists: Lists, bind: Bind): string {
  const measures = compileMeasures(Object.entries(plan.measures), bind);
  const sets = lists.map(({ dimensions }) => dimensions.map(rowNames.dimension));
  const selected = [
    rowNames.list,
    ...plan.dimensions.map((dimension) => shownSql(dimension, bind)),
    ...(plan.compared || hasKeys(lists) ? plan.dimensions.flatMap(keySelected) : []),
    ...measures.flatMap((measure) => measure.selected),
  ].join(', ');
  const from = plan.unit === 'sessions' ? 's' : 'e';
  return `SELECT ${selected} FROM (${groupSetsSql(sets, measures, from)})`;
}

/** The rows `r` of the lists with their totals, ordered and cut. */
export function bundlePageSql(plan: QueryPlan, lists: Lists, bind: Bind): string {
  const { totals, measures } = plan;
  const isLookedUp = hasKeys(lists);
  const order = isLookedUp ? rowNames.list : plan.order.map(orderSql).join(', ');
  const one = `PARTITION BY ${rowNames.list} ORDER BY ${order}`;
  // With an order and a frame the engine sums what it has sorted; without, it groups all events once more.
  const whole = `${one} ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING`;
  const selected = ['*', ...totals.map((name) => totalSql(name, measures[name], bind, whole))];
  if (isLookedUp) {
    const rows = `(SELECT ${selected.join(', ')} FROM r) AS r`;
    return `\nSELECT r.*\nFROM ${rows} SEMI JOIN ${keysSql(plan, lists, bind)}`;
  }
  const { place } = rowNames;
  return `
SELECT * EXCLUDE (${place})
FROM (SELECT ${selected.join(', ')}, row_number() OVER (${one}) AS ${place} FROM r)
WHERE ${pagesSql(lists, bind)}
ORDER BY ${rowNames.list}, ${place}`;
}

/** The rows of the page of each list; mostly it is the same one. */
function pagesSql(lists: Lists, bind: Bind): string {
  const { list, place } = rowNames;
  const pages = new Map<string, { readonly first: BundledList; readonly marks: number[] }>();
  for (const [index, one] of lists.entries()) {
    const page = `${one.offset} ${one.limit}`;
    const known = pages.get(page) ?? { first: one, marks: [] };
    known.marks.push(markOfList(lists, index));
    pages.set(page, known);
  }
  const ofPage = ({ offset, limit }: BundledList) =>
    `${place} > ${bind(offset)}::BIGINT AND ${place} <= ${bind(offset + limit)}::BIGINT`;
  return [...pages.values()]
    .map(({ first, marks }) =>
      pages.size === 1 ? ofPage(first) : `(${list} IN (${marks.join(', ')}) AND ${ofPage(first)})`,
    )
    .join(' OR ');
}

function hasKeys(lists: Lists): boolean {
  return lists.some(({ keys }) => keys !== undefined);
}

/** The keys of all lists as a table, and the condition that one of them is a row's. */
function keysSql({ dimensions }: QueryPlan, lists: Lists, bind: Bind): string {
  const rows = lists.flatMap(({ dimensions: own, keys = [] }, index) => {
    const mark = String(markOfList(lists, index));
    const places = dimensions.map(({ name }) => own.indexOf(name));
    return keys.map((key) => [mark, ...places.map((place) => key[place] ?? null)]);
  });
  const columns = dimensions.map((_, index) => `row_key[${index + 2}] AS k${index}`);
  const table = `from_json(${bind(JSON.stringify(rows))}::VARCHAR, '[["VARCHAR"]]')`;
  const isSame = dimensions.map(
    (dimension, index) => `r.${keyColumn(dimension)} IS NOT DISTINCT FROM keys.k${index}`,
  );
  return `(SELECT row_key[1]::BIGINT AS mark, ${columns.join(', ')} FROM (SELECT unnest(${table}) AS row_key)) AS keys
ON r.${rowNames.list} = keys.mark AND ${isSame.join(' AND ')}`;
}
