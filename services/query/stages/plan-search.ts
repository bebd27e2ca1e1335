/** Plans what the rows of a list are searched for; part of the plan stage. */
import type { Column, Dataset, Dimension } from '../catalogue/dataset.ts';
import { meant } from './fields.ts';
import type { ParsedRequest } from './parse.ts';
import type { QueryPlan, Refusal } from './query-plan.ts';

/** Nothing for other kinds than lists, which take no notice. */
export function planSearch(
  search: ParsedRequest['search'],
  { kind, names: [name] }: Dataset,
  columns: readonly Column[],
  dimensions: readonly Dimension[],
): Pick<QueryPlan, 'search'> | Refusal {
  if (search === undefined || kind !== 'list') return {};
  if (dimensions.length === 0) {
    return { refused: `The rows of "${name}" are grouped by no text that could be searched.` };
  }
  const texts = new Map(
    columns.flatMap(({ name: column, value }) =>
      value.from === 'dimension' || value.from === 'json' ? [[column, value.dimension]] : [],
    ),
  );
  const unknown = search.columns?.find((column) => !texts.has(column));
  if (unknown !== undefined) {
    const allowed = [...texts.keys()];
    return {
      refused: `"${name}" has no text "${unknown}" to search; it has ${allowed.join(', ')}${meant(unknown, allowed)}`,
    };
  }
  const sought =
    search.columns?.map((column) => texts.get(column) ?? '') ?? dimensions.map((each) => each.name);
  return { search: { text: search.text, dimensions: sought } };
}
