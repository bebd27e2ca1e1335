/** Configurations that were in force or refused, the newest first, with why one was refused. */
import type { PlatformData } from '../../api/wire.ts';
import { Instant } from '../../design/instant.tsx';
import { type Column, Table } from '../../design/table.tsx';
import { Loaded } from '../../states/loaded.tsx';
import { formatInstant, formatNumber } from '../../texts/format.ts';
import { platformTexts } from './texts.ts';
import { useView } from './use-view.ts';

type Kept = PlatformData<'history'>['configurations'][number];

export function HistoryView() {
  const t = platformTexts.value;
  const columns: Column<Kept>[] = [
    { key: 'number', title: t.number, isNumber: true, cell: ({ number }) => formatNumber(number) },
    { key: 'at', title: t.when, cell: ({ at }) => <Instant at={at} text={formatInstant(at)} /> },
    {
      key: 'outcome',
      title: t.outcome,
      cell: ({ outcome }) => (
        <span class={outcome === 'refused' ? 'badge bad' : 'badge good'}>{t.outcomes[outcome]}</span>
      ),
    },
    {
      key: 'reason',
      title: t.reason,
      cell: ({ reason, faults }) => (
        <>
          {reason}
          {faults.length > 0 && (
            <ul>
              {faults.map((fault) => (
                <li key={fault}>
                  <code>{fault}</code>
                </li>
              ))}
            </ul>
          )}
        </>
      ),
    },
    { key: 'hash', title: t.hash, cell: ({ hash }) => (hash === null ? '–' : <code>{hash}</code>) },
  ];
  return (
    <Loaded read={useView('history')} lines={10}>
      {({ data: { configurations, pinned } }) => (
        <>
          {pinned !== null && (
            <p>
              {t.isPinned(formatNumber(pinned.number), pinned.by)}{' '}
              <Instant at={pinned.at} text={formatInstant(pinned.at)} />
            </p>
          )}
          <Table
            caption={t.views.history}
            rows={configurations}
            rowKey={({ number }) => number}
            columns={columns}
            stacks
          />
        </>
      )}
    </Loaded>
  );
}
