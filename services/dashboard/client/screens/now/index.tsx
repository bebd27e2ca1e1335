/** What happens on a website now: who is there, the last half hour, and events as they come, asked again while somebody looks. */
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { HOME, usePathPart } from '../../address.ts';
import type { Request } from '../../api/answer.ts';
import { useNow } from '../../api/use-now.ts';
import { useRead } from '../../api/use-read.ts';
import { knownWebsite, useWebsite } from '../../api/websites.ts';
import type { DatasetAnswer } from '../../api/wire.ts';
import { Sparkline } from '../../charts/sparkline.tsx';
import { Button } from '../../design/button.tsx';
import { Instant } from '../../design/instant.tsx';
import { PageHead } from '../../design/page-head.tsx';
import { type Column, Table } from '../../design/table.tsx';
import { ExportActs } from '../../exports/export-acts.tsx';
import { FaultNotice } from '../../states/fault-notice.tsx';
import { Loaded } from '../../states/loaded.tsx';
import { PartFailed } from '../../states/part-failed.tsx';
import { countryName, formatNumber, formatTime, timezone } from '../../texts/format.ts';
import { texts } from '../../texts/texts.ts';
import { answerOf, type QueryBatch } from '../../website/batch.ts';
import { eventName, nameOf } from '../../website/formats.ts';
import {
  type ActiveRow,
  activeOf,
  COUNTS,
  countsOf,
  eventsOf,
  type LiveEvent,
  type Minute,
  minutesOf,
  pointsOf,
} from './model.ts';
import { nowRequest } from './question.ts';

const EVERY_SECONDS = 10;
const MINUTE_SECONDS = 60;

const LISTS = [
  { dataset: 'active_pages', key: 'pages', kind: 'text' },
  { dataset: 'active_sources', key: 'sources', kind: 'source' },
  { dataset: 'active_countries', key: 'countries', kind: 'country' },
] as const;
type ActiveListOf = (typeof LISTS)[number];

export function Now() {
  const t = texts.value.now;
  const websiteId = usePathPart('websiteId');
  const requestAt = (now: number) => nowRequest(websiteId, timezone.value, now);
  const request = requestAt(useNow(MINUTE_SECONDS));
  const [openedAt] = useState(() => Date.now());
  const timed = () => requestAt(Date.now());
  const read = useRead<QueryBatch>(requestAt(openedAt), { everySeconds: EVERY_SECONDS, timed });
  const [known] = useState(() => knownWebsite(websiteId));
  const { summary, website } = useWebsite(websiteId, known, read.fault);
  const title = t.title(summary?.name ?? texts.value.words.website);
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
      <PageHead title={title} lead={t.lead}>
        <a href={`${HOME}/websites/${encodeURIComponent(websiteId)}`}>{t.back}</a>
      </PageHead>
      <Loaded read={read} lines={16}>
        {(batch) => <Shown batch={batch} request={request} again={read.again} />}
      </Loaded>
    </>
  );
}

interface ShownProps {
  readonly batch: QueryBatch;
  readonly request: Request;
  readonly again: () => void;
}

function Shown({ batch, request, again }: ShownProps) {
  const part = (dataset: string, draw: (answer: DatasetAnswer) => ComponentChildren) => {
    const answer = answerOf(batch, dataset);
    if (answer === undefined) return null;
    return answer.success ? draw(answer) : <PartFailed answer={answer} again={again} />;
  };
  return (
    <div class="overview stack">
      <section class="card stack">
        {part('active_now', (answer) => (
          <People answer={answer} />
        ))}
        {part('summary', (answer) => (
          <HalfHour minutes={minutesOf(answer)} request={request} />
        ))}
      </section>
      <div class="panels">
        {LISTS.map(({ dataset, key, kind }) => (
          <section key={key} class="card stack">
            {part(dataset, (answer) => (
              <ActiveList of={key} kind={kind} rows={activeOf(answer)} />
            ))}
          </section>
        ))}
      </div>
      <section class="card stack">
        {part('events_live', (answer) => (
          <Events events={eventsOf(answer)} />
        ))}
      </section>
    </div>
  );
}

function People({ answer }: { answer: DatasetAnswer }) {
  const t = texts.value.now;
  const counts = countsOf(answer);
  return (
    <>
      <h2>{t.people}</h2>
      <ul class="tiles">
        {COUNTS.map((column) => (
          <li key={column} class="tile">
            <div>
              <span class="soft">{t.counts[column]}</span>
              <strong class="number">{formatNumber(counts[column])}</strong>
            </div>
          </li>
        ))}
      </ul>
    </>
  );
}

function HalfHour({ minutes, request }: { minutes: readonly Minute[]; request: Request }) {
  const t = texts.value;
  const [isTable, showTable] = useState(false);
  const all = minutes.reduce((sum, { pageviews }) => sum + pageviews, 0);
  return (
    <>
      <div class="row spread">
        <h2>{t.now.halfHour}</h2>
        <span class="row screen-only">
          <Button kind="plain" icon={isTable ? 'activity' : 'table'} onClick={() => showTable(!isTable)}>
            {isTable ? t.words.asChart : t.words.asTable}
          </Button>
          <ExportActs
            title={t.now.halfHour}
            file="last-half-hour"
            header={['timestamp', 'pageviews', 'visitors']}
            rows={minutes.map(({ timestamp, pageviews, visitors }) => [timestamp, pageviews, visitors])}
            request={request}
          />
        </span>
      </div>
      {isTable ? (
        <Table
          caption={t.now.halfHour}
          rows={[...minutes].reverse()}
          rowKey={({ timestamp }) => timestamp}
          columns={[
            {
              key: 'minute',
              title: t.now.minute,
              cell: ({ timestamp }) => <Instant at={timestamp} text={formatTime(timestamp)} />,
            },
            numberColumn('pageviews', t.now.counts.pageviews),
            numberColumn('visitors', t.now.counts.visitors),
          ]}
        />
      ) : (
        <Sparkline points={pointsOf(minutes)} label={t.now.halfHourInWords(all)} />
      )}
    </>
  );
}

function numberColumn<Key extends string>(key: Key, title: string) {
  return {
    key,
    title,
    isNumber: true,
    cell: (row: Readonly<Record<Key, number>>) => formatNumber(row[key]),
  };
}

interface ActiveListProps {
  readonly of: ActiveListOf['key'];
  readonly kind: ActiveListOf['kind'];
  readonly rows: readonly ActiveRow[];
}

function ActiveList({ of, kind, rows }: ActiveListProps) {
  const t = texts.value.now;
  const title = t.lists[of];
  return (
    <>
      <h2>{title}</h2>
      {rows.length === 0 ? (
        <p class="soft">{t.nobody}</p>
      ) : (
        <Table
          caption={title}
          rows={rows}
          rowKey={({ name }) => name}
          columns={[
            { key: 'name', title: t.names[of], cell: (row) => <bdi>{nameOf(row.name, row.name, kind)}</bdi> },
            numberColumn('visitors', t.counts.visitors),
            numberColumn('pageviews', t.counts.pageviews),
          ]}
        />
      )}
    </>
  );
}

function Events({ events }: { events: readonly LiveEvent[] }) {
  const t = texts.value.now;
  const columns: Column<LiveEvent>[] = [
    {
      key: 'at',
      title: t.time,
      cell: ({ timestamp }) => <Instant at={timestamp} text={formatTime(timestamp)} />,
    },
    { key: 'name', title: t.event, cell: ({ name }) => <bdi>{eventName(name)}</bdi> },
    { key: 'path', title: t.names.pages, cell: ({ path }) => (path === null ? '–' : <bdi>{path}</bdi>) },
    {
      key: 'country',
      title: t.names.countries,
      cell: ({ country }) => (country === null ? '–' : countryName(country)),
    },
    {
      key: 'device',
      title: t.device,
      cell: ({ device, browser }) => [browser, device].filter((text) => text !== null).join(', ') || '–',
    },
  ];
  return (
    <>
      <h2>{t.asTheyCome}</h2>
      {events.length === 0 ? (
        <p class="soft">{t.noEvents}</p>
      ) : (
        <Table caption={t.asTheyCome} rows={events} rowKey={({ key }) => key} columns={columns} stacks />
      )}
    </>
  );
}
