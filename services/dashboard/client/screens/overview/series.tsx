/** The chosen measure over time, as a line or as a table of all measures. */
import { CLOCK_HOURS } from '../../charts/axis.ts';
import { LineChart } from '../../charts/line-chart.tsx';
import { Button } from '../../design/button.tsx';
import { type Column, Table } from '../../design/table.tsx';
import { ExportActs } from '../../exports/export-acts.tsx';
import { NoNumber } from '../../states/no-number.tsx';
import { Skeleton } from '../../states/skeleton.tsx';
import { formatBucket, formatTick } from '../../texts/format.ts';
import { texts } from '../../texts/texts.ts';
import { zoomedInto } from '../../website/buckets.ts';
import { formatAxisValue, formatValue } from '../../website/formats.ts';
import { daysOf } from '../../website/range.ts';
import { marksOf } from './marks.ts';
import { MEASURES, type Measure } from './measures.ts';
import { type Bucket, measured } from './model.ts';
import { seriesRequest } from './questions.ts';
import { shownMarks } from './shown-marks.ts';
import type { View } from './use-view.ts';

interface SeriesPlace {
  readonly view: View;
  readonly isWaiting: boolean;
}

interface SeriesProps {
  readonly view: View;
  readonly buckets: readonly Bucket[];
}

/** Without `buckets` it keeps their place. */
export function Series({ view, buckets, isWaiting }: Partial<SeriesProps> & SeriesPlace) {
  const t = texts.value;
  const { measure, granularity, isTable } = view;
  const title = t.overview.chart(t.overview.measures[measure.key]);
  const begun = (buckets ?? []).filter(({ state }) => state !== 'future');
  const columns = MEASURES.map(({ column }) => column);
  const isCompared = view.comparison !== undefined;
  return (
    <>
      <div class="row spread">
        <h2>{title}</h2>
        <span class="row screen-only">
          <Button kind="plain" icon={isTable ? 'activity' : 'table'} onClick={() => view.showTable(!isTable)}>
            {isTable ? t.words.asChart : t.words.asTable}
          </Button>
          <Button kind="plain" isPressed={view.hasNotes} onClick={() => view.showNotes(!view.hasNotes)}>
            {t.overview.notes}
          </Button>
          {(buckets !== undefined || isWaiting) && (
            <ExportActs
              title={title}
              file={`series-${granularity}`}
              header={[
                'date',
                ...columns,
                ...(isCompared ? columns.map((column) => `previous_${column}`) : []),
              ]}
              rows={begun.map(({ date, values, before }) => [
                date,
                ...columns.map((column) => values[column]),
                ...(isCompared ? columns.map((column) => before?.[column] ?? null) : []),
              ])}
              request={seriesRequest(view)}
              isBusy={buckets === undefined}
            />
          )}
        </span>
      </div>
      {buckets === undefined && (
        <div class="chart">
          {isWaiting ? <Skeleton lines={1} /> : <p class="soft nothing">{t.overview.noNumbers}</p>}
        </div>
      )}
      {buckets !== undefined && isTable && <SeriesTable view={view} buckets={begun} />}
      {buckets !== undefined && !isTable && <SeriesLine view={view} buckets={buckets} />}
      {!isTable && (
        <p class={buckets === undefined ? 'small soft to-come' : 'small soft'}>
          <span class="screen-only">{t.overview.chartHelp}</span> {t.overview.dashed}
        </p>
      )}
    </>
  );
}

function noteOf({ state }: Bucket): string | undefined {
  const t = texts.value.overview;
  if (state === 'running') return t.running;
  return state === 'cut' ? t.cut : undefined;
}

function SeriesLine({ view, buckets }: SeriesProps) {
  const t = texts.value.overview;
  const { granularity, measure, range, today } = view;
  const isClock = buckets.length <= CLOCK_HOURS;
  const marks = marksOf(buckets, shownMarks.value, view);
  return (
    <LineChart
      label={t.chart(t.measures[measure.key])}
      hint={t.chartHint}
      granularity={granularity}
      kind={measure.kind}
      format={(value) => formatValue(measure.kind, value)}
      formatAxis={(value) => formatAxisValue(measure.kind, value)}
      points={buckets.map((bucket, index) => ({
        label: formatBucket(bucket.date, granularity),
        tick: formatTick(bucket.date, granularity, isClock),
        value: bucket.state === 'future' ? null : bucket.values[measure.column],
        note: noteOf(bucket),
        before: bucket.before?.[measure.column],
        mark: marks[index],
      }))}
      tellBefore={t.change.before}
      onZoom={(from, to) => {
        const next = zoomedInto(buckets, from, to, granularity, daysOf(range, today));
        if (next) view.showRange(next);
      }}
    />
  );
}

/** The chosen measure in the period that is compared with. */
function beforeColumn(measure: Measure): Column<Bucket> {
  const t = texts.value.overview;
  return {
    key: 'before',
    title: t.measureBefore(t.measures[measure.key]),
    isNumber: true,
    cell: ({ before }) => {
      const value = before === undefined ? null : measured(measure, before);
      return value === null ? <NoNumber /> : formatValue(measure.kind, value);
    },
  };
}

function SeriesTable({ view, buckets }: SeriesProps) {
  const t = texts.value.overview;
  const columns: Column<Bucket>[] = [
    {
      key: 'date',
      title: t.bucket,
      cell: (bucket) => {
        const note = noteOf(bucket);
        return (
          <>
            {formatBucket(bucket.date, view.granularity)}
            {note && <span class="small soft"> ({note})</span>}
          </>
        );
      },
    },
    ...MEASURES.map((measure) => ({
      key: measure.key,
      title: t.measures[measure.key],
      isNumber: true,
      cell: ({ values }: Bucket) => {
        const value = measured(measure, values);
        return value === null ? <NoNumber /> : formatValue(measure.kind, value);
      },
    })),
    ...(view.comparison === undefined ? [] : [beforeColumn(view.measure)]),
  ];
  return (
    <Table
      caption={t.chart(t.measures[view.measure.key])}
      columns={columns}
      rows={buckets}
      rowKey={({ date, timestamp }) => timestamp ?? date}
    />
  );
}
