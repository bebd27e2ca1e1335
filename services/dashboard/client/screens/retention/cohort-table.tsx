/** Cohorts as a table: each cell shaded by its share, says its number, and opens who is behind it. */
import { useState } from 'preact/hooks';
import { Button } from '../../design/button.tsx';
import { Definition } from '../../design/definition.tsx';
import { Dialog } from '../../design/dialog.tsx';
import { type Column, Table } from '../../design/table.tsx';
import { NoNumber } from '../../states/no-number.tsx';
import { formatBucket, formatDays, formatNumber, formatPercent } from '../../texts/format.ts';
import { texts } from '../../texts/texts.ts';
import { Change } from '../../website/change.tsx';
import { rangeParameters } from '../../website/range.ts';
import { matchText } from '../paths/match-text.ts';
import { SessionsLink } from '../paths/sessions-link.tsx';
import { type Cell, type Cohort, meansOf, type PeriodScene, type Settings, sessionsOfCell } from './model.ts';
import { retentionTexts } from './texts.ts';

interface CohortTableProps {
  readonly scene: PeriodScene;
  readonly settings: Settings;
  readonly shown: Settings['shown'];
  readonly cohorts: readonly Cohort[];
}

/** The shade of the greatest share, in percent: on a stronger one the number would be hard to read. */
const STRONGEST = 40;

/** The row of all cohorts. */
const MEAN: Cohort = { date: '', cells: [] };

export function CohortTable({ scene, settings, shown, cohorts }: CohortTableProps) {
  const t = retentionTexts.value;
  const [open, setOpen] = useState<Cell | null>(null);
  const { granularity } = scene;
  const periodText = (period: number) => t.periods[granularity](formatNumber(period));
  // Who returns in a later period or the one after has had less time for it in later cohorts: their mean would say nothing.
  const means = settings.mode === 'exact' && cohorts.length > 1 ? meansOf(cohorts) : undefined;
  const most = Math.max(1, ...cohorts.flatMap(({ cells }) => cells.slice(1).map((cell) => cell.percentage)));
  const sizes = cohorts.map(({ cells }) => cells[0]?.size ?? 0);
  const opens = (cell: Cell, text: string, isShaded: boolean) => (
    <button
      type="button"
      class={`drill ${isShaded ? 'cohort-cell' : ''} ${cell.state === 'whole' ? '' : 'partial'}`}
      style={isShaded ? { '--share': `${(cell.percentage / most) * STRONGEST}%` } : {}}
      aria-label={[text, formatBucket(cell.cohort, granularity), periodText(cell.period), noteOf(cell)]
        .filter(Boolean)
        .join(', ')}
      onClick={() => setOpen(cell)}
    >
      {text}
    </button>
  );
  const periods = Array.from({ length: (cohorts[0]?.cells.length ?? 1) - 1 }, (_, index) => index + 1);
  const columns: Column<Cohort>[] = [
    {
      key: 'cohort',
      title: t.cohort,
      cell: ({ date }) =>
        date === '' ? (
          <>
            {t.mean} <Definition term={t.mean} text={t.meanDefinition} />
          </>
        ) : (
          formatBucket(date, granularity)
        ),
    },
    {
      key: 'size',
      title: t.size,
      isNumber: true,
      cell: ({ cells: [own] }) =>
        own ? (
          <>
            {opens(own, formatNumber(own.size), false)}
            {own.before && <Change now={own.size} before={own.before.size} />}
          </>
        ) : (
          formatNumber(sizes.reduce((sum, size) => sum + size, 0))
        ),
    },
    ...periods.map(
      (period): Column<Cohort> => ({
        key: `${period}`,
        title: periodText(period),
        isNumber: true,
        cell: ({ date, cells }) => {
          if (date === '') {
            const mean = means?.[period];
            return mean === undefined ? <NoNumber /> : formatPercent(mean);
          }
          const cell = cells[period];
          if (cell === undefined) return null;
          if (cell.size === 0) return <NoNumber />;
          const [key, format] =
            shown === 'percent'
              ? (['percentage', formatPercent] as const)
              : (['visitors', formatNumber] as const);
          const { before } = cell;
          return (
            <>
              {opens(cell, format(cell[key]), true)}
              {before && before.size > 0 && <Change now={cell[key]} before={before[key]} format={format} />}
            </>
          );
        },
      }),
    ),
  ];
  return (
    <div class="cohorts">
      <Table
        caption={t.title}
        columns={columns}
        rows={means ? [MEAN, ...cohorts] : cohorts}
        rowKey={({ date }) => date}
      />
      {open && (
        <Dialog
          title={`${formatBucket(open.cohort, granularity)}, ${periodText(open.period)}`}
          onClose={() => setOpen(null)}
        >
          <Behind cell={open} scene={scene} settings={settings} cohorts={cohorts} />
          <Button onClick={() => setOpen(null)}>{texts.value.words.close}</Button>
        </Dialog>
      )}
    </div>
  );
}

interface BehindProps {
  readonly cell: Cell;
  readonly scene: PeriodScene;
  readonly settings: Settings;
  readonly cohorts: readonly Cohort[];
}

function Behind({ cell, scene, settings, cohorts }: BehindProps) {
  const t = retentionTexts.value;
  const { days, parts, isExact } = sessionsOfCell(cell, scene, settings, cohorts);
  const of = cell.period === 0 ? settings.start : settings.returning;
  const inDays = formatDays(days.first, days.last);
  const text =
    of && parts.length > 0 && !('goalId' in of)
      ? t.everybodyWith(inDays, matchText(of))
      : t.everybody(inDays);
  const note = noteOf(cell);
  return (
    <>
      <p>
        {t.counted(formatNumber(cell.visitors), formatNumber(cell.size), formatPercent(cell.percentage))}
        {note && <span class="soft"> ({note})</span>}
      </p>
      {!isExact && <p class="soft">{t.nearest}</p>}
      <p>
        <SessionsLink scene={scene} parts={parts} what={inDays} more={rangeParameters(days)}>
          <bdi class="chosen">{isExact ? t.behind : text}</bdi>
        </SessionsLink>
      </p>
    </>
  );
}

function noteOf({ state }: Cell): string | undefined {
  const { running, cut } = texts.value.overview;
  return { whole: undefined, future: undefined, running, cut }[state];
}
