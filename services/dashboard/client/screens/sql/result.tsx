/** The rows of a custom query: every column as the answer names it, and what was left out. */
import { useRead } from '../../api/use-read.ts';
import { type Column, Table } from '../../design/table.tsx';
import { ExportActs } from '../../exports/export-acts.tsx';
import { Loaded } from '../../states/loaded.tsx';
import { formatNumber, timezone } from '../../texts/format.ts';
import { sqlTexts } from './texts.ts';

/** What was asked. */
export interface Asked {
  readonly sql: string;
  readonly from: string;
  readonly to: string;
}

type Row = Readonly<Record<string, unknown>>;

interface Answer {
  readonly data: readonly Row[];
  readonly meta: {
    readonly columns: readonly { readonly name: string; readonly type: string }[];
    readonly rowCount: number;
    readonly truncated: boolean;
    readonly executionTimeMs: number;
  };
}

/** Rows that are asked for; more would hardly be read. */
const MOST_ROWS = 1_000;
const NUMBERS = /^(?:U?(?:TINY|SMALL|BIG|HUGE)?INT(?:EGER)?|DOUBLE|FLOAT|DECIMAL.*)$/;

export function Result({ websiteId, asked }: { websiteId: string; asked: Asked }) {
  const t = sqlTexts.value;
  const request = {
    method: 'POST' as const,
    path: '/v1/query/custom',
    query: { website_id: websiteId },
    body: {
      sql: asked.sql,
      startDate: asked.from,
      endDate: asked.to,
      timezone: timezone.value,
      limit: MOST_ROWS,
    },
  };
  const read = useRead<Answer>(request);
  return (
    <section class="card stack">
      <h2>{t.result}</h2>
      <Loaded read={read} lines={8}>
        {({ data, meta }) => (
          <>
            <p class="soft" role="status">
              {t.rows(formatNumber(meta.rowCount), formatNumber(meta.executionTimeMs))}
              {meta.truncated && ` ${t.cut}`}
            </p>
            {data.length > 0 && (
              <Table
                caption={t.result}
                rows={data.map((row, index) => ({ index, row }))}
                rowKey={({ index }) => index}
                columns={meta.columns.map(
                  ({ name, type }): Column<{ index: number; row: Row }> => ({
                    key: name,
                    title: name,
                    isNumber: NUMBERS.test(type),
                    cell: ({ row }) => <bdi>{textOf(row[name])}</bdi>,
                  }),
                )}
              />
            )}
            <ExportActs
              title={t.result}
              file="query"
              header={meta.columns.map(({ name }) => name)}
              rows={data.map((row) => meta.columns.map(({ name }) => cellOf(row[name])))}
              request={request}
            />
          </>
        )}
      </Loaded>
    </section>
  );
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return '–';
  if (typeof value === 'number') return formatNumber(value);
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function cellOf(value: unknown): string | number | null {
  if (value === null || value === undefined) return null;
  return typeof value === 'number' || typeof value === 'string' ? value : JSON.stringify(value);
}
