/** The clicks on a link in a range: how many, over time, and what they are made of. */
import type { ComponentChildren } from 'preact';
import { useAddress } from '../../address.ts';
import type { Read } from '../../api/use-read.ts';
import { CLOCK_HOURS } from '../../charts/axis.ts';
import { LineChart } from '../../charts/line-chart.tsx';
import { Button } from '../../design/button.tsx';
import { Definition } from '../../design/definition.tsx';
import { Instant } from '../../design/instant.tsx';
import { type Column, Table } from '../../design/table.tsx';
import { ExportActs } from '../../exports/export-acts.tsx';
import { Empty } from '../../states/empty.tsx';
import { Loaded } from '../../states/loaded.tsx';
import { NoNumber } from '../../states/no-number.tsx';
import { PartFailed } from '../../states/part-failed.tsx';
import { formatAgo, formatBucket, formatCompact, formatNumber, formatTick } from '../../texts/format.ts';
import { texts } from '../../texts/texts.ts';
import { answerOf, type QueryBatch } from '../../website/batch.ts';
import { zoomedInto } from '../../website/buckets.ts';
import { formatRange } from '../../website/formats.ts';
import { daysOf } from '../../website/range.ts';
import { Dates, RangeBar } from '../../website/range-bar.tsx';
import type { SceneView } from '../../website/use-scene.ts';
import { bucketsOf, type ClickBucket, type Totals, totalsOf } from './model.ts';
import { type LinkScene, PANELS, type PanelName, seriesRequest } from './questions.ts';
import { linkTexts } from './texts.ts';
import { TopPanel } from './top-panel.tsx';

interface LinkClicksProps {
  readonly read: Read<QueryBatch>;
  readonly scene: LinkScene;
  readonly view: SceneView;
}

export function LinkClicks({ read, scene, view }: LinkClicksProps) {
  const t = linkTexts.value;
  return (
    <>
      <div class="row spread">
        <span class="soft">{formatRange(view.range, view.today)}</span>
        <RangeBar view={view} again={read.again} />
      </div>
      <Dates view={view} />
      <Loaded read={read} lines={14}>
        {(batch) => {
          const totals = totalsOf(batch)?.(scene.linkId);
          const isEmpty = totals?.clicks === 0;
          const failed = answerOf(batch, 'link_totals');
          return (
            <>
              <div class="card stack numbers">
                {failed?.success === false ? (
                  <PartFailed answer={failed} again={read.again} />
                ) : (
                  totals && <Tiles totals={totals} />
                )}
                {isEmpty ? (
                  <Empty title={t.noClick} level={2}>
                    <p>{t.noClickHint}</p>
                  </Empty>
                ) : (
                  <Series batch={batch} scene={scene} view={view} again={read.again} />
                )}
              </div>
              {!isEmpty && (
                <div class="panels link-panels">
                  {(Object.keys(PANELS) as PanelName[]).map((panel) => (
                    <TopPanel key={panel} panel={panel} batch={batch} scene={scene} again={read.again} />
                  ))}
                </div>
              )}
            </>
          );
        }}
      </Loaded>
    </>
  );
}

function Tiles({ totals: { clicks, visitors, lastClick } }: { totals: Totals }) {
  const t = linkTexts.value;
  const tile = (term: string, text: string, value: ComponentChildren) => (
    <li class="tile">
      <div>
        <span class="soft">{term}</span>
        <strong class="number">{value}</strong>
      </div>
      <Definition term={term} text={text} />
    </li>
  );
  return (
    <ul class="tiles">
      {tile(t.clicks, t.definitions.clicks, formatNumber(clicks))}
      {tile(texts.value.overview.measures.visitors, t.definitions.visitors, formatNumber(visitors))}
      {tile(
        t.lastClick,
        t.definitions.lastClick,
        lastClick === null ? <NoNumber /> : <Instant at={lastClick} text={formatAgo(lastClick)} />,
      )}
    </ul>
  );
}

interface SeriesProps {
  readonly batch: QueryBatch;
  readonly scene: LinkScene;
  readonly view: SceneView;
  readonly again: () => void;
}

function Series({ batch, scene, view, again }: SeriesProps) {
  const t = texts.value;
  const { parameters, change } = useAddress();
  const answer = answerOf(batch, 'link_clicks_by_day');
  if (!answer?.success) return answer ? <PartFailed answer={answer} again={again} /> : null;
  const { range, granularity, today } = view;
  const days = daysOf(range, today);
  const buckets = bucketsOf(answer, granularity, { now: Date.now(), today }, days);
  const begun = buckets.filter(({ state }) => state !== 'future');
  const isTable = parameters.view === 'table';
  const title = t.overview.chart(linkTexts.value.clicks);
  return (
    <>
      <div class="row spread">
        <h2>{title}</h2>
        <span class="row screen-only">
          <Button
            kind="plain"
            icon={isTable ? 'activity' : 'table'}
            onClick={() => change({ view: isTable ? undefined : 'table' }, true)}
          >
            {isTable ? t.words.asChart : t.words.asTable}
          </Button>
          <ExportActs
            title={title}
            file={`clicks-${granularity}`}
            header={['date', 'clicks']}
            rows={begun.map(({ date, clicks }) => [date, clicks])}
            request={seriesRequest(scene)}
          />
        </span>
      </div>
      {isTable ? (
        <Table
          caption={title}
          columns={columns(granularity)}
          rows={begun}
          rowKey={({ date, timestamp }) => timestamp ?? date}
        />
      ) : (
        <>
          <LineChart
            label={title}
            hint={t.overview.chartHint}
            granularity={granularity}
            kind="count"
            format={formatNumber}
            formatAxis={formatCompact}
            points={buckets.map((bucket) => ({
              label: formatBucket(bucket.date, granularity),
              tick: formatTick(bucket.date, granularity, buckets.length <= CLOCK_HOURS),
              value: bucket.state === 'future' ? null : bucket.clicks,
              note: noteOf(bucket),
            }))}
            onZoom={(from, to) => {
              const next = zoomedInto(buckets, from, to, granularity, days);
              if (next) view.showRange(next);
            }}
          />
          <p class="small soft">
            <span class="screen-only">{t.overview.chartHelp}</span> {t.overview.dashed}
          </p>
        </>
      )}
    </>
  );
}

function noteOf({ state }: ClickBucket): string | undefined {
  const t = texts.value.overview;
  if (state === 'running') return t.running;
  return state === 'cut' ? t.cut : undefined;
}

function columns(granularity: string): Column<ClickBucket>[] {
  return [
    {
      key: 'date',
      title: texts.value.overview.bucket,
      cell: (bucket) => {
        const note = noteOf(bucket);
        return (
          <>
            {formatBucket(bucket.date, granularity)}
            {note && <span class="small soft"> ({note})</span>}
          </>
        );
      },
    },
    {
      key: 'clicks',
      title: linkTexts.value.clicks,
      isNumber: true,
      cell: ({ clicks }) => formatNumber(clicks),
    },
  ];
}
