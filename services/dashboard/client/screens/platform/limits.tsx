/** Who is throttled, who is near a limit, and which limits refuse. */
import { Instant } from '../../design/instant.tsx';
import { Table } from '../../design/table.tsx';
import { Loaded } from '../../states/loaded.tsx';
import { formatAgo, formatUntil } from '../../texts/format.ts';
import { windowText } from '../../texts/limit-words.ts';
import { codeColumn, numberColumn } from './columns.tsx';
import { platformTexts } from './texts.ts';
import { useView } from './use-view.ts';

export function LimitsView() {
  const t = platformTexts.value;
  return (
    <Loaded read={useView('limits', {}, true)} lines={12}>
      {({ data: { throttled, nearLimits, limits } }) => (
        <>
          <h2>{t.throttled}</h2>
          {throttled.length === 0 ? (
            <p class="soft">{t.noneThrottled}</p>
          ) : (
            <Table
              caption={t.throttled}
              rows={throttled}
              rowKey={(row) =>
                JSON.stringify([row.organization, row.key, row.endpoint, row.limit, row.window])
              }
              columns={[
                codeColumn('organization', t.organization),
                codeColumn('key', t.key),
                codeColumn('endpoint', t.endpoint),
                {
                  key: 'limit',
                  title: t.limit,
                  cell: ({ limit, window }) => (
                    <>
                      <code>{limit}</code> {windowText(window)}
                    </>
                  ),
                },
                numberColumn('refusals', t.refusals),
                { key: 'at', title: t.last, cell: ({ at }) => <Instant at={at} text={formatAgo(at)} /> },
                {
                  key: 'reset',
                  title: t.resets,
                  cell: ({ reset }) => <Instant at={reset} text={formatUntil(reset)} />,
                },
              ]}
            />
          )}
          <h2>{t.near}</h2>
          {nearLimits.length === 0 ? (
            <p class="soft">{t.noneNear}</p>
          ) : (
            <Table
              caption={t.near}
              rows={nearLimits}
              rowKey={(row) => JSON.stringify([row.organization, row.key, row.limit])}
              columns={[
                codeColumn('organization', t.organization),
                codeColumn('key', t.key),
                numberColumn('remaining', t.remaining),
                numberColumn('limit', t.of),
                {
                  key: 'reset',
                  title: t.resets,
                  cell: ({ reset }) => <Instant at={reset} text={formatUntil(reset)} />,
                },
              ]}
            />
          )}
          <h2>{t.refusingLimits}</h2>
          {limits.length === 0 ? (
            <p class="soft">{t.noneThrottled}</p>
          ) : (
            <Table
              caption={t.refusingLimits}
              rows={limits}
              rowKey={({ name }) => name}
              columns={[codeColumn('name', t.limit), numberColumn('perSecond', t.refusedPerSecond)]}
            />
          )}
        </>
      )}
    </Loaded>
  );
}
