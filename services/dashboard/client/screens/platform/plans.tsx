/** Plans and limits as plans.yml has them. */
import type { PlatformData } from '../../api/wire.ts';
import { Table } from '../../design/table.tsx';
import { formatNumber } from '../../texts/format.ts';
import { countsText, subjectText, windowText } from '../../texts/limit-words.ts';
import { platformTexts } from './texts.ts';

type Data = PlatformData<'configuration'>;

const WINDOWS = ['per10Seconds', 'perMinute', 'perDay', 'perMonth'] as const;

export function Plans({ plans, limits }: Pick<Data, 'plans' | 'limits'>) {
  const t = platformTexts.value;
  return (
    <>
      <h2>{t.plans}</h2>
      <Table
        caption={t.plans}
        rows={Object.entries(plans)}
        rowKey={([name]) => name}
        columns={[
          { key: 'plan', title: t.plan, cell: ([name]) => <code>{name}</code> },
          ...WINDOWS.map((window) => ({
            key: window,
            title: t.windows[window],
            isNumber: true,
            cell: ([, plan]: [string, Data['plans'][string]]) => textOf(plan[window]),
          })),
        ]}
      />
      <h2>{t.limits}</h2>
      <Table
        caption={t.limits}
        rows={Object.entries(limits)}
        rowKey={([name]) => name}
        columns={[
          {
            key: 'limit',
            title: t.limit,
            cell: ([name, { enforce }]) => (
              <>
                <code>{name}</code> {enforce === false && <span class="badge">{t.inShadow}</span>}
              </>
            ),
          },
          { key: 'most', title: t.most, isNumber: true, cell: ([, { limit }]) => textOf(limit) },
          {
            key: 'window',
            title: t.window,
            cell: ([, { windowSeconds, window }]) => windowText(textOf(window ?? `${windowSeconds} s`)),
          },
          {
            key: 'per',
            title: t.per,
            cell: ([, { per, header, claim }]) =>
              subjectText([per, header ?? claim].filter(Boolean).join(' ')),
          },
          { key: 'cost', title: t.counts, cell: ([, { cost }]) => countsText(textOf(cost ?? 'request')) },
        ]}
      />
    </>
  );
}

function textOf(value: unknown): string {
  if (typeof value === 'number') return formatNumber(value);
  return value === undefined ? '–' : String(value);
}
