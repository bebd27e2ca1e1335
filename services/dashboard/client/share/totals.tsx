/** The totals of a share, and the line or table of one of them over time. */
import { useState } from 'preact/hooks';
import type { ShownShare } from '../api/wire.ts';
import { CLOCK_HOURS } from '../charts/axis.ts';
import { LineChart } from '../charts/line-chart.tsx';
import { Button } from '../design/button.tsx';
import { type Column, Table } from '../design/table.tsx';
import { MEASURES, type Measure } from '../screens/overview/measures.ts';
import { NoNumber } from '../states/no-number.tsx';
import { PartFailed } from '../states/part-failed.tsx';
import { Placeholder, Skeleton } from '../states/skeleton.tsx';
import { formatBucket, formatTick } from '../texts/format.ts';
import { texts } from '../texts/texts.ts';
import { stateOf, zoomedInto } from '../website/buckets.ts';
import type { Days } from '../website/calendar.ts';
import type { Frame, Granularity, Part } from './range-part.ts';
import { shareTexts } from './share-texts.ts';
import { SERIES, TOTALS } from './shown-lists.ts';
import { formatAxisValue, formatValue, numberIn, type Row, textIn } from './shown-names.ts';
import type { Answers } from './use-answers.ts';

interface TotalsProps {
  readonly answers: Answers;
  readonly share: ShownShare;
  readonly frame: Frame;
  readonly granularity: Granularity;
  readonly days: Days | null;
  readonly onShow: (part: Part) => void;
}

export function Totals(props: TotalsProps) {
  const { answers, share } = props;
  const [measure, setMeasure] = useState(MEASURES[0] as Measure);
  const hasLine = share.datasets.includes(SERIES);
  return (
    <section class="card stack numbers">
      {share.datasets.includes(TOTALS) && (
        <Tiles answers={answers} chosen={hasLine ? measure : null} onChoose={setMeasure} />
      )}
      {hasLine && <Series {...props} measure={measure} onMeasure={setMeasure} />}
    </section>
  );
}

interface TilesProps {
  readonly answers: Answers;
  /** What the line draws; null: there is no line. */
  readonly chosen: Measure | null;
  readonly onChoose: (measure: Measure) => void;
}

function Tiles({ answers, chosen, onChoose }: TilesProps) {
  const t = shareTexts.value;
  const answer = answers.of(TOTALS);
  if (answer?.success === false) return <PartFailed answer={answer} again={answers.again} />;
  const row = answer?.data[0];
  return (
    <ul class="tiles">
      {MEASURES.map((measure) => {
        const inside = (
          <>
            <span class="soft">{t.measures[measure.key]}</span>
            <strong class="number">
              {row !== undefined ? (
                <Value measure={measure} row={row} />
              ) : answers.fault ? (
                <NoNumber />
              ) : (
                <Placeholder />
              )}
            </strong>
          </>
        );
        return (
          <li key={measure.key} class="tile">
            {chosen === null ? (
              <div>{inside}</div>
            ) : (
              <button type="button" aria-pressed={measure === chosen} onClick={() => onChoose(measure)}>
                {inside}
              </button>
            )}
          </li>
        );
      })}
    </ul>
  );
}

/** A rate or a duration of no session at all, which the API tells as 0, is no number. */
function Value({ measure: { column, kind }, row }: { measure: Measure; row: Row }) {
  const isNone = kind !== 'count' && numberIn(row, 'sessions') === 0;
  return isNone ? <NoNumber /> : formatValue(kind, numberIn(row, column));
}

interface SeriesProps extends TotalsProps {
  readonly measure: Measure;
  readonly onMeasure: (measure: Measure) => void;
}

function Series(props: SeriesProps) {
  const { answers, measure } = props;
  const t = shareTexts.value;
  const w = texts.value.words;
  const [isTable, setTable] = useState(false);
  const title = t.chart(t.measures[measure.key]);
  const answer = answers.of(SERIES);
  return (
    <>
      <div class="row spread">
        <h2>{title}</h2>
        <span class="screen-only">
          <Button kind="plain" icon={isTable ? 'activity' : 'table'} onClick={() => setTable(!isTable)}>
            {isTable ? w.asChart : w.asTable}
          </Button>
        </span>
      </div>
      {answer === undefined && (
        <div class="chart">{answers.fault === undefined && <Skeleton lines={1} />}</div>
      )}
      {answer?.success === false && <PartFailed answer={answer} again={answers.again} />}
      {answer?.success &&
        (isTable ? (
          <SeriesTable {...props} rows={begun(props, answer.data)} title={title} />
        ) : (
          <SeriesLine {...props} rows={answer.data} title={title} />
        ))}
    </>
  );
}

interface RowsProps extends SeriesProps {
  readonly rows: readonly Row[];
  readonly title: string;
}

const bucketOf = (row: Row) => ({
  date: textIn(row, 'date'),
  timestamp: textIn(row, 'timestamp') || undefined,
});

function stateIn({ answers, granularity, frame, days }: TotalsProps, row: Row) {
  const clock = { now: answers.at ?? 0, today: frame.today };
  return stateOf(bucketOf(row), granularity, clock, days ?? undefined);
}

const begun = (props: TotalsProps, rows: readonly Row[]) =>
  rows.filter((row) => stateIn(props, row) !== 'future');

function noteOf(props: TotalsProps, row: Row): string | undefined {
  return stateIn(props, row) === 'running' ? shareTexts.value.running : undefined;
}

function SeriesLine({ rows, title, measure, ...rest }: RowsProps) {
  const props = { ...rest, measure };
  const { granularity, days, frame, onShow } = props;
  const isClock = rows.length <= CLOCK_HOURS;
  return (
    <LineChart
      label={title}
      hint={shareTexts.value.chartHint}
      granularity={granularity}
      kind={measure.kind}
      format={(value) => formatValue(measure.kind, value)}
      formatAxis={(value) => formatAxisValue(measure.kind, value)}
      points={rows.map((row) => ({
        label: formatBucket(textIn(row, 'date'), granularity),
        tick: formatTick(textIn(row, 'date'), granularity, isClock),
        value: stateIn(props, row) === 'future' ? null : numberIn(row, measure.column),
        note: noteOf(props, row),
      }))}
      onZoom={(from, to) => {
        const next = zoomedInto(rows.map(bucketOf), from, to, granularity, days ?? undefined);
        // Days alone: an hour of a day is no part that this page offers.
        if (next && 'first' in next && frame.hasParts && frame.days !== null) onShow(next);
      }}
    />
  );
}

function SeriesTable({ rows, title, ...props }: RowsProps) {
  const t = shareTexts.value;
  const columns: Column<Row>[] = [
    {
      key: 'date',
      title: t.bucket,
      cell: (row) => {
        const note = noteOf(props, row);
        return (
          <>
            {formatBucket(textIn(row, 'date'), props.granularity)}
            {note && <span class="small soft"> ({note})</span>}
          </>
        );
      },
    },
    ...MEASURES.map((measure) => ({
      key: measure.key,
      title: t.measures[measure.key],
      isNumber: true,
      cell: (row: Row) => <Value measure={measure} row={row} />,
    })),
  ];
  return (
    <Table
      caption={title}
      columns={columns}
      rows={rows}
      rowKey={(row) => textIn(row, 'timestamp') || textIn(row, 'date')}
    />
  );
}
