/** What became of the events that a website was sent: how many were stored, and why the others were not. */
import { useState } from 'preact/hooks';
import { addressOf, HOME, useAddress, usePathPart } from '../../address.ts';
import { slotPoints, slotQuery, slotRangeOf } from '../../api/activity-points.ts';
import { useNow } from '../../api/use-now.ts';
import { useRead } from '../../api/use-read.ts';
import { knownWebsite, useWebsite } from '../../api/websites.ts';
import type { IngestCounts, IngestDrop } from '../../api/wire.ts';
import { Sparkline } from '../../charts/sparkline.tsx';
import { PageHead } from '../../design/page-head.tsx';
import { type Column, Table } from '../../design/table.tsx';
import { ExportActs } from '../../exports/export-acts.tsx';
import { FaultNotice } from '../../states/fault-notice.tsx';
import { Loaded } from '../../states/loaded.tsx';
import { formatNumber } from '../../texts/format.ts';
import { texts } from '../../texts/texts.ts';
import { SlotRanges } from '../requests/slot-ranges.tsx';
import { ingestTexts } from './texts.ts';

const EVERY_SECONDS = 30;
const HOUR_SECONDS = 3_600;

interface Answer {
  readonly data: IngestCounts;
}

export function Ingest() {
  const t = ingestTexts.value;
  const websiteId = usePathPart('websiteId');
  const home = `${HOME}/websites/${encodeURIComponent(websiteId)}`;
  const { parameters } = useAddress();
  const range = slotRangeOf(parameters.range);
  const query = slotQuery(range, useNow(HOUR_SECONDS));
  const request = { path: addressOf(`/v1/websites/${encodeURIComponent(websiteId)}/ingest`, query) };
  const read = useRead<Answer>(request, { everySeconds: EVERY_SECONDS });
  const [known] = useState(() => knownWebsite(websiteId));
  const { summary, website } = useWebsite(websiteId, known, read.fault);
  if (website.fault?.kind === 'missing' || website.fault?.kind === 'forbidden') {
    return (
      <>
        <PageHead title={texts.value.words.website} />
        <FaultNotice fault={website.fault} />
      </>
    );
  }
  return (
    <>
      <PageHead title={t.title(summary?.name ?? texts.value.words.website)} lead={t.lead}>
        <a href={home}>{t.back}</a>
      </PageHead>
      <section class="card stack">
        <SlotRanges chosen={range} />
        <Loaded read={read} lines={8}>
          {({ data }) => <Shown data={data} request={request} settings={`${home}/settings`} />}
        </Loaded>
      </section>
    </>
  );
}

interface ShownProps {
  readonly data: IngestCounts;
  readonly request: { readonly path: string };
  readonly settings: string;
}

function Shown({ data, request, settings }: ShownProps) {
  const t = ingestTexts.value;
  const tiles = [
    { key: 'received', value: data.received, counts: data.counts.received },
    { key: 'stored', value: data.stored, counts: data.counts.stored },
  ] as const;
  const columns: Column<IngestDrop>[] = [
    { key: 'reason', title: t.reason, cell: ({ reason }) => t.reasons[reason] },
    { key: 'events', title: t.events, isNumber: true, cell: ({ events }) => formatNumber(events) },
    {
      key: 'line',
      title: t.overTime,
      cell: ({ counts, events }) => <Sparkline points={slotPoints(data, counts)} label={t.inWords(events)} />,
    },
  ];
  return (
    <>
      <ul class="tiles">
        {tiles.map(({ key, value, counts }) => (
          <li key={key} class="tile">
            <div>
              <span class="soft">{t[key]}</span>
              <strong class="number">{formatNumber(value)}</strong>
            </div>
            <Sparkline points={slotPoints(data, counts)} label={t.inWords(value)} />
          </li>
        ))}
      </ul>
      <h2>{t.dropped}</h2>
      {data.dropped.length === 0 ? (
        <p class="soft">{data.received === 0 ? t.noneReceived : t.noneDropped}</p>
      ) : (
        <Table
          caption={t.dropped}
          rows={data.dropped}
          rowKey={({ reason }) => reason}
          columns={columns}
          stacks
        />
      )}
      <p class="hint">
        {t.hint} <a href={settings}>{t.settings}</a>
      </p>
      <ExportActs
        title={t.dropped}
        file="dropped-events"
        header={['reason', 'events', 'start', 'counts']}
        rows={data.dropped.map(({ reason, events, counts }) => [
          reason,
          events,
          data.start,
          counts.join(' '),
        ])}
        request={request}
      />
    </>
  );
}
