/** What the organization asked over time: by outcome, limit, endpoint or key, each row with its line. */
import { addressOf, HOME, useAddress } from '../../address.ts';
import { type SlotRangeName, slotPoints, slotQuery, slotRangeOf } from '../../api/activity-points.ts';
import { useKeyNames } from '../../api/key-names.ts';
import { useNow } from '../../api/use-now.ts';
import { useRead } from '../../api/use-read.ts';
import type { RequestCounts, RequestCountsRow } from '../../api/wire.ts';
import { Sparkline } from '../../charts/sparkline.tsx';
import { PageHead } from '../../design/page-head.tsx';
import { type Column, Table } from '../../design/table.tsx';
import { Tabs } from '../../design/tabs.tsx';
import { ExportActs } from '../../exports/export-acts.tsx';
import { Loaded } from '../../states/loaded.tsx';
import { formatNumber, formatPercent } from '../../texts/format.ts';
import { windowText } from '../../texts/limit-words.ts';
import { texts } from '../../texts/texts.ts';
import { KeyName } from './key-name.tsx';
import { Plans } from './plans.tsx';
import { SlotRanges } from './slot-ranges.tsx';
import { requestsTexts } from './texts.ts';

const GROUPS = ['outcome', 'limit', 'endpoint', 'key'] as const;
type Group = (typeof GROUPS)[number];
/** What larger plans would have admitted stands beside the groups. */
const TABS = [...GROUPS, 'plans'] as const;

const EVERY_SECONDS = 30;
const HOUR_SECONDS = 3_600;

interface Answer {
  readonly data: RequestCounts;
}

export function Requests() {
  const t = requestsTexts.value;
  const { parameters, change } = useAddress();
  const tab = TABS.find((name) => name === parameters.by) ?? 'outcome';
  const range = slotRangeOf(parameters.range);
  return (
    <>
      <PageHead title={t.title} lead={t.lead}>
        <a href={`${HOME}/organization/limits`}>{t.limitsNow}</a>
      </PageHead>
      <section class="card stack">
        <SlotRanges chosen={range} />
        <Tabs
          label={t.by}
          tabs={TABS.map((name) => ({ key: name, text: t.groups[name] }))}
          chosen={tab}
          onChoose={(name) => change({ by: name })}
        >
          {tab === 'plans' ? <Plans range={range} /> : <Counts by={tab} range={range} />}
        </Tabs>
      </section>
    </>
  );
}

function Counts({ by, range }: { by: Group; range: SlotRangeName }) {
  const query = { ...slotQuery(range, useNow(HOUR_SECONDS)), groupBy: by };
  const request = {
    path: addressOf('/v1/usage/requests', by === 'limit' ? { ...query, outcome: 'limited' } : query),
  };
  const read = useRead<Answer>(request, { everySeconds: EVERY_SECONDS });
  const keys = useKeyNames(by === 'key');
  return (
    <Loaded read={read} lines={8}>
      {({ data }) => <Shown by={by} data={data} request={request} keys={keys} />}
    </Loaded>
  );
}

interface ShownProps {
  readonly by: Group;
  readonly data: RequestCounts;
  readonly request: { readonly path: string };
  readonly keys: ReadonlyMap<string, string>;
}

function Shown({ by, data, request, keys }: ShownProps) {
  const t = requestsTexts.value;
  if (data.rows.length === 0) return <p class="soft">{by === 'limit' ? t.noneRefused : t.none}</p>;
  const columns: Column<RequestCountsRow>[] = [
    { key: 'name', title: t.groups[by], cell: (row) => <Name by={by} row={row} keys={keys} /> },
    {
      key: 'requests',
      title: t.requests,
      isNumber: true,
      cell: ({ requests }) => formatNumber(requests),
    },
    {
      key: 'share',
      title: t.share,
      isNumber: true,
      cell: ({ requests }) => formatPercent((100 * requests) / Math.max(1, data.requests)),
    },
    {
      key: 'line',
      title: t.overTime,
      cell: ({ counts, requests }) => (
        <Sparkline points={slotPoints(data, counts)} label={t.inWords(requests)} />
      ),
    },
  ];
  return (
    <>
      <Table
        caption={t.title}
        rows={data.rows}
        rowKey={(row) => nameOf(by, row) ?? ''}
        columns={columns}
        stacks
      />
      {data.moreRows > 0 && <p class="hint">{t.moreRows(data.moreRows)}</p>}
      <div class="row spread">
        <p class="hint">{t.hint}</p>
        <ExportActs
          title={t.title}
          file={`requests-by-${by}`}
          header={[by, 'requests', 'start', 'counts']}
          rows={data.rows.map((row) => [nameOf(by, row), row.requests, data.start, row.counts.join(' ')])}
          request={request}
          isOfSession
        />
      </div>
    </>
  );
}

function nameOf(by: Group, row: RequestCountsRow): string | null {
  if (by === 'limit') return row.limit == null ? null : `${row.limit} (${row.window})`;
  return row[by] ?? null;
}

type NameProps = Pick<ShownProps, 'by' | 'keys'> & { readonly row: RequestCountsRow };

/** Outcomes and shipped limits in words; keys and endpoints by the names that they have elsewhere. */
function Name({ by, row, keys }: NameProps) {
  const t = requestsTexts.value;
  if (by === 'outcome') {
    const { outcome = 'ok' } = row;
    const isBad = outcome === 'limited' || outcome === 'server_error';
    return <span class={isBad ? 'badge bad' : undefined}>{t.outcomes[outcome]}</span>;
  }
  if (by === 'limit') {
    const { limit = null, window = null } = row;
    if (limit === null) return <span class="soft">{t.unnamed}</span>;
    return (
      <>
        {texts.value.limits.names[limit] ?? <code>{limit}</code>}{' '}
        {window !== null && <span class="soft small">{windowText(window)}</span>}
      </>
    );
  }
  const name = nameOf(by, row);
  if (by === 'key' && name !== null) return <KeyName id={name} names={keys} />;
  if (name !== null) return <code>{name}</code>;
  return <span class="soft">{by === 'key' ? t.sessions : t.unnamed}</span>;
}
