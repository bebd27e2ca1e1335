/** The rows of a list of the overview: each with its bar, its numbers and how the first of them changed. */
import { type Column, Table } from '../../../design/table.tsx';
import { formatNumber, formatPercent } from '../../../texts/format.ts';
import { texts } from '../../../texts/texts.ts';
import { Change } from '../../../website/change.tsx';
import { nameOf } from '../../../website/formats.ts';
import type { List } from '../panels.ts';
import type { View } from '../use-view.ts';
import { GoalLink } from './goals.tsx';
import { listText } from './list-text.ts';
import { filtersOfRow, type ListRow, type ShownList } from './shown-list.ts';
import { panelTexts } from './texts.ts';

interface RowsProps {
  readonly list: List;
  readonly content: ShownList;
  readonly isLong: boolean;
  readonly view: View;
}

export function Rows({ list, content, isLong, view }: RowsProps) {
  const t = panelTexts.value;
  const isOfSessions = list.dataset === 'entry_pages' || list.dataset === 'exit_pages';
  const change: Column<ListRow>[] =
    view.comparison === undefined
      ? []
      : [
          {
            key: 'change',
            title: texts.value.overview.change.title,
            isNumber: true,
            cell: ({ numbers, before }) => <Change now={numbers[0]} before={before} />,
          },
        ];
  const [first, second] = list.columns;
  const columnTitles: Readonly<Record<string, string>> = t.columns;
  return (
    <div class={isLong ? 'bars long' : 'bars'}>
      <Table<ListRow>
        caption={listText(t.lists, list)}
        rows={content.rows}
        rowKey={({ id, name, country }) => `${id}${country} ${name}`}
        columns={[
          {
            key: 'name',
            title: listText(t.names, list),
            cell: (row) => {
              const name = nameOf(row.name, row.country, list.kind);
              return (
                <span class="bar">
                  <span class="share" style={{ width: `${row.share * 100}%` }} />
                  {list.dimension ? (
                    <button
                      type="button"
                      class="drill"
                      title={texts.value.overview.only(name)}
                      onClick={() => view.addFilters(filtersOfRow(row, list))}
                    >
                      <bdi>{name}</bdi>
                    </button>
                  ) : (
                    <GoalLink websiteId={view.websiteId} id={row.id} name={name} />
                  )}
                </span>
              );
            },
          },
          {
            key: first,
            title: isOfSessions ? t.entries : (columnTitles[first] ?? first),
            isNumber: true,
            cell: ({ numbers }) => formatNumber(numbers[0]),
          },
          ...change,
          {
            key: second,
            title: columnTitles[second] ?? second,
            isNumber: true,
            cell: ({ numbers }) => formatNumber(numbers[1]),
          },
          {
            key: 'percentage',
            title: columnTitles[list.percent ?? 'percentage'] ?? '',
            isNumber: true,
            cell: ({ percentage }) => <span class="soft">{formatPercent(percentage)}</span>,
          },
        ]}
      />
    </div>
  );
}
