/** A number of the scene over time: as a line that zooms the range, or as a table with what else the series tells. */
import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';
import { useAddress } from '../address.ts';
import type { Read } from '../api/use-read.ts';
import type { DatasetAnswer } from '../api/wire.ts';
import { type AxisKind, CLOCK_HOURS } from '../charts/axis.ts';
import { LineChart } from '../charts/line-chart.tsx';
import { Button } from '../design/button.tsx';
import { Table } from '../design/table.tsx';
import { ExportActs } from '../exports/export-acts.tsx';
import { NoNumber } from '../states/no-number.tsx';
import { PartFailed } from '../states/part-failed.tsx';
import { Skeleton } from '../states/skeleton.tsx';
import { useOldClass } from '../states/use-old.ts';
import { formatBucket, formatTick } from '../texts/format.ts';
import { texts } from '../texts/texts.ts';
import type { QueryBatch } from '../website/batch.ts';
import { zoomedInto } from '../website/buckets.ts';
import { formatAxisValue } from '../website/formats.ts';
import { daysOf } from '../website/range.ts';
import { type Question, queryRequest } from '../website/scene.ts';
import type { SceneView } from '../website/use-scene.ts';
import { numberText } from './cell-text.ts';
import type { ColumnKind } from './listing.ts';
import { numberIn } from './number-in.ts';
import { type Series, type SeriesColumn, type SeriesRow, seriesRows } from './series.ts';
import { shownPart } from './shown-part.ts';
import { tableOf } from './table-of.ts';

interface OverTimeProps {
  /** What the batch asks for it. */
  readonly question: Question;
  readonly series: Series;
  /** Titles of its numbers by their keys. */
  readonly titles: Readonly<Record<string, string>>;
  readonly scene: SceneView;
  readonly read: Read<QueryBatch>;
  /** What else chooses what is drawn. */
  readonly children?: ComponentChildren;
}

/** The address says whether it is a table. */
const TABLE = 'table';

export function OverTime(props: OverTimeProps) {
  const { question, titles, read } = props;
  const { dataset, columns } = props.series;
  const { parameters, change } = useAddress();
  const t = texts.value;
  const isTable = parameters.view === TABLE;
  const title = t.overview.chart(titles[columns[0].key] ?? '');
  const { answer, isOld, isWaiting } = shownPart(read, dataset, question.id);
  const old = useOldClass(isOld);
  // What is drawn until other numbers come is of the scene that they were asked for.
  const asked = useRef(props.scene);
  if (!isOld) asked.current = props.scene;
  const scene = asked.current;
  return (
    <section class={`card stack numbers ${old}`} aria-busy={read.isLoading}>
      <div class="row spread">
        <h2>{title}</h2>
        <span class="row screen-only">
          {props.children}
          <Button
            kind="plain"
            icon={isTable ? 'activity' : 'table'}
            onClick={() => change({ view: isTable ? undefined : TABLE }, true)}
          >
            {isTable ? t.words.asChart : t.words.asTable}
          </Button>
          {answer?.success && (
            <ExportActs
              title={title}
              file={dataset}
              {...tableOf(begun(rowsOf(answer, scene, read)).map(({ row }) => row))}
              request={queryRequest(scene, [question])}
            />
          )}
        </span>
      </div>
      <Drawn {...props} scene={scene} title={title} answer={answer} isTable={isTable} isWaiting={isWaiting} />
      {!isTable && (
        <p class={answer?.success ? 'small soft' : 'small soft to-come'}>
          <span class="screen-only">{t.overview.chartHelp}</span> {t.overview.dashed}
        </p>
      )}
    </section>
  );
}

const rowsOf = (answer: DatasetAnswer, scene: SceneView, { at = 0 }: Read<QueryBatch>) =>
  seriesRows(answer, scene, { now: at, today: scene.today });

const begun = (rows: readonly SeriesRow[]) => rows.filter(({ state }) => state !== 'future');

interface DrawnProps extends OverTimeProps {
  readonly title: string;
  readonly answer: DatasetAnswer | undefined;
  readonly isTable: boolean;
  readonly isWaiting: boolean;
}

function Drawn(props: DrawnProps) {
  const { scene, read, title, answer, isTable, isWaiting } = props;
  const { columns } = props.series;
  const t = texts.value.overview;
  if (answer === undefined) {
    return (
      <div class="chart">
        {isWaiting ? <Skeleton lines={1} /> : <p class="soft nothing">{t.noNumbers}</p>}
      </div>
    );
  }
  if (!answer.success) return <PartFailed answer={answer} again={read.again} />;
  const rows = rowsOf(answer, scene, read);
  if (rows.length === 0) {
    return (
      <div class="chart">
        <p class="soft nothing">{t.nothing}</p>
      </div>
    );
  }
  if (isTable) return <SeriesTable {...props} rows={begun(rows)} />;
  const { granularity } = scene;
  const [{ key, kind, needs }] = columns;
  const axis = axisOf(kind);
  return (
    <LineChart
      label={title}
      hint={t.chartHint}
      granularity={granularity}
      kind={axis}
      format={(value) => numberText(value, kind)}
      formatAxis={(value) => formatAxisValue(axis, value)}
      points={rows.map(({ date, state, row, before }) => ({
        label: formatBucket(date, granularity),
        tick: formatTick(date, granularity, rows.length <= CLOCK_HOURS),
        value: state === 'future' ? null : numberIn(row, key, needs),
        note: noteOf(state),
        before: scene.comparison && numberIn(before, key, needs),
      }))}
      tellBefore={t.change.before}
      onZoom={(from, to) => {
        const next = zoomedInto(rows, from, to, granularity, daysOf(scene.range, scene.today));
        if (next) scene.showRange(next);
      }}
    />
  );
}

/** Milliseconds are counted in tens, as things are. */
function axisOf(kind: ColumnKind): AxisKind {
  if (kind.startsWith('money ')) return 'decimal';
  return kind === 'percent' || kind === 'duration' || kind === 'decimal' ? kind : 'count';
}

function noteOf(state: SeriesRow['state']): string | undefined {
  const t = texts.value.overview;
  if (state === 'running') return t.running;
  return state === 'cut' ? t.cut : undefined;
}

function SeriesTable({ title, titles, series, scene, rows }: DrawnProps & { rows: readonly SeriesRow[] }) {
  const { columns } = series;
  const t = texts.value.overview;
  const cell = (row: SeriesRow['before'], { key, kind, needs }: SeriesColumn) => {
    const value = numberIn(row, key, needs);
    return value === null ? <NoNumber /> : numberText(value, kind);
  };
  const [first] = columns;
  return (
    <Table
      caption={title}
      rows={rows}
      rowKey={({ date, timestamp }) => timestamp ?? date}
      columns={[
        {
          key: 'date',
          title: t.bucket,
          cell: ({ date, state }) => {
            const note = noteOf(state);
            return (
              <>
                {formatBucket(date, scene.granularity)}
                {note && <span class="small soft"> ({note})</span>}
              </>
            );
          },
        },
        ...columns.map((column) => ({
          key: column.key,
          title: titles[column.key] ?? column.key,
          isNumber: true,
          cell: ({ row }: SeriesRow) => cell(row, column),
        })),
        ...(scene.comparison === undefined
          ? []
          : [
              {
                key: 'before',
                title: t.measureBefore(titles[first.key] ?? ''),
                isNumber: true,
                cell: ({ before }: SeriesRow) => cell(before, first),
              },
            ]),
      ]}
    />
  );
}
