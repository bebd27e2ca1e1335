/** What passed all gateways in the last hour or day: lines of requests and times, and what each endpoint, limit, step and backend counts. */
import { slotPoints } from '../../api/activity-points.ts';
import type { Request } from '../../api/answer.ts';
import type { PlatformData } from '../../api/wire.ts';
import { Sparkline } from '../../charts/sparkline.tsx';
import { type Column, Table } from '../../design/table.tsx';
import { ExportActs } from '../../exports/export-acts.tsx';
import { formatNumber } from '../../texts/format.ts';
import { codeColumn, numberColumn, numberOf } from './columns.tsx';
import { platformTexts } from './texts.ts';

type Traffic = NonNullable<PlatformData<'traffic'>['history']>;

const COUNTS = ['requests', 'limited', 'failed'] as const;
const TIMES = ['p50Ms', 'p95Ms', 'p99Ms'] as const;

export function TrafficOverTime({ traffic, request }: { traffic: Traffic; request: Request }) {
  const t = platformTexts.value;
  const slots = [...COUNTS, ...TIMES] as const;
  return (
    <>
      <ul class="tiles">
        {COUNTS.map((name) => (
          <Tile key={name} traffic={traffic} name={name} value={sum(traffic[name])} />
        ))}
        {TIMES.map((name) => (
          <Tile key={name} traffic={traffic} name={name} value={most(traffic[name])} />
        ))}
      </ul>
      <ExportActs
        title={t.views.traffic}
        file="traffic"
        header={['slot', ...slots]}
        rows={traffic.requests.map((_, slot) => [slot, ...slots.map((name) => traffic[name][slot] ?? null)])}
        request={request}
        isOfSession
      />
      <Part
        title={t.byEndpoint}
        rows={traffic.endpoints}
        columns={[
          { key: 'endpoint', title: t.endpoint, cell: ({ endpoint }) => <code>{endpoint ?? t.others}</code> },
          numberColumn('requests', t.requests),
          numberColumn('p50Ms', t.p50),
          numberColumn('p95Ms', t.p95),
          numberColumn('p99Ms', t.p99),
          numberColumn('refused', t.refusedCount),
          numberColumn('failed', t.failedCount),
        ]}
      />
      <Part
        title={t.byStatus}
        rows={traffic.statuses}
        columns={[codeColumn('status', t.status), numberColumn('requests', t.requests)]}
      />
      <Part
        title={t.refusingLimits}
        rows={traffic.limits}
        columns={[codeColumn('limit', t.limit), numberColumn('refusals', t.refusals)]}
      />
      <Part
        title={t.steps}
        rows={traffic.steps}
        columns={[codeColumn('step', t.step), numberColumn('events', t.events)]}
      />
      <Part
        title={t.dropped}
        rows={traffic.dropped}
        columns={[codeColumn('reason', t.reason), numberColumn('events', t.events)]}
      />
      <Part
        title={t.services}
        rows={traffic.services}
        columns={[
          codeColumn('service', t.service),
          numberColumn('requests', t.requests),
          numberColumn('failures', t.failures),
          numberColumn('retries', t.retries),
        ]}
      />
    </>
  );
}

interface TileProps {
  readonly traffic: Traffic;
  readonly name: (typeof COUNTS)[number] | (typeof TIMES)[number];
  readonly value: number | null;
}

/** Where nothing was answered, the line goes on from one number to the next. */
function Tile({ traffic, name, value }: TileProps) {
  const t = platformTexts.value;
  const values: readonly (number | null)[] = traffic[name];
  const points = slotPoints(
    traffic,
    values.map((each) => each ?? 0),
  ).filter((_, slot) => values[slot] !== null);
  return (
    <li class="tile">
      <div>
        <span class="soft">{t.lines[name]}</span>
        <strong class="number">{numberOf(value)}</strong>
      </div>
      <Sparkline points={points} label={t.inWords(t.lines[name], numberOf(value))} />
    </li>
  );
}

function Part<Row>({
  title,
  rows,
  columns,
}: {
  title: string;
  rows: readonly Row[];
  columns: readonly Column<Row>[];
}) {
  const t = platformTexts.value;
  const [first] = columns;
  return (
    <>
      <h2>{title}</h2>
      {rows.length === 0 ? (
        <p class="soft">{t.none}</p>
      ) : (
        <Table
          caption={title}
          rows={rows.map((row, index) => ({ row, index }))}
          rowKey={({ index }) => `${first?.key} ${formatNumber(index)}`}
          columns={columns.map(({ cell, ...column }) => ({
            ...column,
            cell: ({ row }: { row: Row }) => cell(row),
          }))}
        />
      )}
    </>
  );
}

function sum(counts: readonly number[]): number {
  return counts.reduce((all, count) => all + count, 0);
}

/** The longest of a slot. */
function most(times: readonly (number | null)[]): number | null {
  const known = times.filter((time) => time !== null);
  return known.length === 0 ? null : Math.max(...known);
}
