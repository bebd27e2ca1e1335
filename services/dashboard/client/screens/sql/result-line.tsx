/** Rows of a query as a line over time; which column is drawn may be chosen. */
import { useState } from 'preact/hooks';
import { LineChart } from '../../charts/line-chart.tsx';
import { Field } from '../../design/field.tsx';
import { formatBucket, formatCompact, formatNumber, formatTick } from '../../texts/format.ts';
import { texts } from '../../texts/texts.ts';
import { linePoints, type ResultColumn } from './line-of.ts';
import { sqlTexts } from './texts.ts';

interface ResultLineProps {
  readonly rows: readonly Readonly<Record<string, unknown>>[];
  readonly time: string;
  readonly columns: readonly ResultColumn[];
}

export function ResultLine({ rows, time, columns }: ResultLineProps) {
  const t = sqlTexts.value;
  const [chosen, choose] = useState(columns[0]?.name ?? '');
  const column = columns.find(({ name }) => name === chosen) ?? columns[0];
  if (column === undefined) return null;
  const points = linePoints(rows, time, column.name);
  const granularity = points[0] && points[0].bucket.length > 10 ? 'hourly' : 'daily';
  return (
    <>
      {columns.length > 1 && (
        <Field
          label={t.column}
          value={column.name}
          onInput={choose}
          options={columns.map(({ name }) => ({ value: name, text: name }))}
        />
      )}
      <LineChart
        label={`${t.result}: ${column.name}`}
        hint={texts.value.overview.chartHint}
        granularity={granularity}
        kind="count"
        format={formatNumber}
        formatAxis={formatCompact}
        points={points.map(({ bucket, value }) => ({
          label: formatBucket(bucket, granularity),
          tick: formatTick(bucket, granularity, points.length <= 48),
          value,
        }))}
        onZoom={() => {}}
      />
    </>
  );
}
