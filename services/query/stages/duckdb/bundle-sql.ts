/** The rows of several lists as DuckDB SQL: one scan groups events or sessions for each of them, which are then ordered and cut. */
import type { Dimension } from '../../catalogue/dataset.ts';
import { placesOf } from '../bundle-lists.ts';
import type { BundledList, QueryPlan } from '../query-plan.ts';
import { markOfList, rowNames } from '../row-names.ts';
import { compileMeasures, groupSetsSql } from './group-sql.ts';
import { sortKeySql, totalSql } from './list-sql.ts';
import { type Bind, shownInPlace } from './text-sql.ts';

type Lists = readonly BundledList[];

/** The rows of all lists, with the shown values of each. */
export function bundleRowsSql(plan: QueryPlan, lists: Lists, bind: Bind): string {
  const measures = compileMeasures(Object.entries(plan.measures), bind);
  const sets = lists.map(({ dimensions }) => dimensions.map(rowNames.dimension));
  const places = placesOf(lists);
  const asksKeys = plan.compared !== undefined || hasKeys(lists);
  const selected = [
    rowNames.list,
    ...places.flatMap((place) => selectedAt(place, asksKeys, plan, lists, bind)),
    ...measures.flatMap((measure) => measure.selected),
  ].join(', ');
  const from = plan.unit === 'sessions' ? 's' : 'e';
  return `SELECT ${selected} FROM (${groupSetsSql(sets, places.map(rowNames.dimension), measures, from)})`;
}

/** What the rows show of the dimension that each list has in that place, and what they are grouped by if asked for. */
function selectedAt(place: string, asksKeys: boolean, plan: QueryPlan, lists: Lists, bind: Bind): string[] {
  const column = rowNames.dimension(place);
  const cases = lists.flatMap((list, index) => {
    const shown = shownBy(list, place, plan);
    return shown ? [`WHEN ${markOfList(lists, index)} THEN ${shownInPlace(shown, column, bind)}`] : [];
  });
  if (cases.length === 0) return [column];
  const shown = `CASE ${rowNames.list} ${cases.join(' ')} ELSE ${column} END AS ${column}`;
  return asksKeys ? [shown, `${column} AS ${rowNames.key(place)}`] : [shown];
}

/** The texts that a list shows for those of the dimension in that place. */
function shownBy(
  { dimensions: own }: BundledList,
  place: string,
  { dimensions }: QueryPlan,
): Dimension['shown'] {
  return dimensions.find(({ name }) => name === own[Number(place)])?.shown;
}

/**
 * The rows `r` of the lists with their totals, cut, and with their places. The engine keeps the first rows of each list in
 * a heap: a window would order all of them, and costs more to plan.
 */
export function bundlePageSql(plan: QueryPlan, lists: Lists, bind: Bind): string {
  const { list, place } = rowNames;
  const totals = plan.totals.map((name) => totalSql(name, plan.measures[name], bind, ''));
  const [rows, from] = hasKeys(lists)
    ? ['list(r) FILTER (WHERE keys.mark IS NOT NULL)', `r LEFT JOIN ${keysSql(plan, lists, bind)}`]
    : [pageSql(plan, lists, bind), 'r'];
  const names = ['', ...plan.totals.map(rowNames.total)].join(', ');
  return `
SELECT unnest("rows", recursive := true), generate_subscripts("rows", 1) AS ${place}${names}
FROM (SELECT ${[`${rows} AS "rows"`, ...totals].join(', ')} FROM ${from} GROUP BY ${list})`;
}

/** The rows of the page of each list; mostly it is the same one. */
function pageSql({ order }: QueryPlan, lists: Lists, bind: Bind): string {
  const ends = lists.map(({ offset, limit }) => offset + limit);
  const ofEach = (numbers: readonly number[]) => {
    const [first = 0] = numbers;
    if (numbers.every((number) => number === first)) return bind(first);
    const cases = numbers.map(
      (number, index) => `WHEN ${markOfList(lists, index)} THEN ${bind(number)}::BIGINT`,
    );
    return `CASE r.${rowNames.list} ${cases.join(' ')} END`;
  };
  const begins = lists.map(({ offset }) => offset + 1);
  const most = bind(Math.max(...ends));
  return `arg_min(r, ${sortKeySql(order)}, ${most}::BIGINT)[${ofEach(begins)}:${ofEach(ends)}]`;
}

function hasKeys(lists: Lists): boolean {
  return lists.some(({ keys }) => keys !== undefined);
}

/** The keys of all lists as a table, each once, and the condition that one of them is a row's. */
function keysSql(plan: QueryPlan, lists: Lists, bind: Bind): string {
  const places = placesOf(lists);
  const rows = lists.flatMap(({ keys = [] }, index) => {
    const mark = String(markOfList(lists, index));
    return keys.map((key) => [mark, ...places.map((_, place) => key[place] ?? null)]);
  });
  const columns = places.map((place, index) => `row_key[${index + 2}] AS k${place}`);
  const table = `from_json(${bind(JSON.stringify(rows))}::VARCHAR, '[["VARCHAR"]]')`;
  const isSame = places.map((place) => {
    const isShown = lists.some((list) => shownBy(list, place, plan) !== undefined);
    const column = isShown ? rowNames.key(place) : rowNames.dimension(place);
    return `r.${column} IS NOT DISTINCT FROM keys.k${place}`;
  });
  return `(SELECT row_key[1]::BIGINT AS mark, ${columns.join(', ')} FROM (SELECT unnest(${table}) AS row_key)) AS keys
ON r.${rowNames.list} = keys.mark AND ${isSame.join(' AND ')}`;
}
