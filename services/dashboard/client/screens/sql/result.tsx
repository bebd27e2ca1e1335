/** The rows of a custom query as a table or a line, what was left out, and what is left of the limits. */
import { useAddress } from '../../address.ts';
import { asMissing } from '../../api/fault.ts';
import { useRead } from '../../api/use-read.ts';
import { type Column, Table } from '../../design/table.tsx';
import { Tabs } from '../../design/tabs.tsx';
import { ExportActs } from '../../exports/export-acts.tsx';
import { Loaded } from '../../states/loaded.tsx';
import { formatNumber, formatUntil, timezone } from '../../texts/format.ts';
import { cellOf, textOf } from './cells.ts';
import { isNumeric, lineColumns, type ResultColumn } from './line-of.ts';
import { parameterNames, parameterValue } from './query-parameters.ts';
import { ResultLine } from './result-line.tsx';
import { sqlTexts } from './texts.ts';

/** What was asked. */
export interface Asked {
  readonly sql: string;
  readonly from: string;
  readonly to: string;
  /** As typed. */
  readonly parameters: Readonly<Record<string, string>>;
}

type Row = Readonly<Record<string, unknown>>;

interface Answer {
  readonly data: readonly Row[];
  readonly meta: {
    readonly columns: readonly ResultColumn[];
    readonly rowCount: number;
    readonly truncated: boolean;
    readonly executionTimeMs: number;
  };
}

/** Rows that are asked for; more would hardly be read. */
const MOST_ROWS = 1_000;
const FORMS = ['table', 'line'] as const;

export function Result({ websiteId, asked }: { websiteId: string; asked: Asked }) {
  const t = sqlTexts.value;
  const names = parameterNames(asked.sql);
  const params = Object.fromEntries(
    names.map((name) => [name, parameterValue(asked.parameters[name] ?? '')]),
  );
  const request = {
    method: 'POST' as const,
    path: '/v1/query/custom',
    query: { website_id: websiteId },
    body: {
      sql: asked.sql,
      ...(names.length > 0 && { params }),
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
      <Loaded read={{ ...read, fault: asMissing(read.fault) }} lines={8}>
        {({ data, meta }) => (
          <>
            <p class="soft" role="status">
              {t.rows(meta.rowCount, formatNumber(meta.executionTimeMs))}
              {meta.truncated && ` ${t.cut}`}
            </p>
            {data.length > 0 && <Rows data={data} columns={meta.columns} />}
            <div class="row spread">
              <Left headers={read.headers} />
              <ExportActs
                title={t.result}
                file="query"
                header={meta.columns.map(({ name }) => name)}
                rows={data.map((row) => meta.columns.map(({ name }) => cellOf(row[name])))}
                request={request}
              />
            </div>
          </>
        )}
      </Loaded>
    </section>
  );
}

function Rows({ data, columns }: { data: readonly Row[]; columns: readonly ResultColumn[] }) {
  const t = sqlTexts.value;
  const { parameters, change } = useAddress();
  const lines = lineColumns(columns);
  const table = (
    <Table
      caption={t.result}
      rows={data.map((row, index) => ({ index, row }))}
      rowKey={({ index }) => index}
      columns={columns.map(
        (column): Column<{ index: number; row: Row }> => ({
          key: column.name,
          title: column.name,
          isNumber: isNumeric(column),
          cell: ({ row }) => <bdi>{textOf(row[column.name])}</bdi>,
        }),
      )}
    />
  );
  if (lines.length === 0) return table;
  const form = FORMS.find((name) => name === parameters.as) ?? 'table';
  return (
    <Tabs
      label={t.form}
      tabs={FORMS.map((key) => ({ key, text: t.forms[key] }))}
      chosen={form}
      onChoose={(as) => change({ as }, true)}
    >
      {form === 'table' ? table : <ResultLine rows={data} time={columns[0]?.name ?? ''} columns={lines} />}
    </Tabs>
  );
}

/** The limit with least left, as each answer tells it; custom SQL has one of its own. */
function Left({ headers }: { headers: Headers | undefined }) {
  const t = sqlTexts.value;
  const [limit, left, reset] = ['limit', 'remaining', 'reset'].map((name) =>
    Number(headers?.get(`x-ratelimit-${name}`) ?? Number.NaN),
  ) as [number, number, number];
  if (!Number.isFinite(limit + left + reset)) return null;
  return <p class="hint">{t.left(formatNumber(left), formatNumber(limit), formatUntil(reset * 1_000))}</p>;
}
