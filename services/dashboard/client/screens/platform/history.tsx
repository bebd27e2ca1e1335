/** Configurations that were in force or refused, the newest first, with why one was refused. */
import { addressOf, useAddress } from '../../address.ts';
import type { PlatformData } from '../../api/wire.ts';
import { Instant } from '../../design/instant.tsx';
import { type Column, Table } from '../../design/table.tsx';
import { Loaded } from '../../states/loaded.tsx';
import { formatInstant, formatNumber } from '../../texts/format.ts';
import { Changes } from './changes.tsx';
import { platformTexts } from './texts.ts';
import { useView } from './use-view.ts';

type Kept = PlatformData<'history'>['configurations'][number];

/** The number of a configuration in the address opens what it changed. */
export function HistoryView() {
  const { number } = useAddress().parameters;
  return number === undefined ? <List /> : <Changes number={number} />;
}

function List() {
  const t = platformTexts.value;
  const { path } = useAddress();
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
    {
      key: 'changes',
      title: t.changes,
      cell: ({ number, outcome }) =>
        outcome === 'refused' ? (
          '–'
        ) : (
          <a
            href={addressOf(path, { view: 'history', number: `${number}` })}
            aria-label={t.changesOf(formatNumber(number))}
          >
            {t.changes}
          </a>
        ),
    },
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
