/** What passes the gateways: now, or over the last hour or day; the range stands in the address. */
import { addressOf, useAddress } from '../../address.ts';
import type { PlatformData } from '../../api/wire.ts';
import { Instant } from '../../design/instant.tsx';
import { Table } from '../../design/table.tsx';
import { Loaded } from '../../states/loaded.tsx';
import { formatAgo } from '../../texts/format.ts';
import { codeColumn, numberColumn, numberOf } from './columns.tsx';
import { platformTexts } from './texts.ts';
import { TrafficOverTime } from './traffic-over-time.tsx';
import { useView } from './use-view.ts';

const RANGES = ['now', 'hour', 'day'] as const;

export function TrafficView() {
  const t = platformTexts.value;
  const { path, parameters } = useAddress();
  const chosen = RANGES.find((name) => name === parameters.range) ?? 'now';
  const range = chosen === 'now' ? undefined : chosen;
  return (
    <>
      <nav class="row choices screen-only" aria-label={t.range}>
        {RANGES.map((name) => (
          <a
            key={name}
            href={addressOf(path, { view: 'traffic', range: name })}
            aria-current={name === chosen ? 'true' : undefined}
          >
            {t.ranges[name]}
          </a>
        ))}
      </nav>
      <Loaded read={useView('traffic', { range }, true)} lines={12}>
        {({ data }) => (
          <>
            <p>
              <strong class="number">{numberOf(data.requestsPerSecond)}</strong> {t.requestsPerSecond}
              {data.byStatus.map(({ name, perSecond }) => (
                <span key={name} class="soft">
                  {' '}
                  · {name}: {numberOf(perSecond)}
                </span>
              ))}
            </p>
            {data.history === null ? (
              <TrafficNow data={data} />
            ) : (
              <TrafficOverTime
                traffic={data.history}
                request={{ path: addressOf('/v1/platform/traffic', { range }) }}
              />
            )}
          </>
        )}
      </Loaded>
    </>
  );
}

function TrafficNow({ data }: { data: PlatformData<'traffic'> }) {
  const t = platformTexts.value;
  return (
    <>
      <Table
        caption={t.byEndpoint}
        rows={data.endpoints}
        rowKey={({ endpoint }) => endpoint}
        columns={[
          codeColumn('endpoint', t.endpoint),
          numberColumn('perSecond', t.perSecond),
          numberColumn('p50Ms', t.p50),
          numberColumn('p95Ms', t.p95),
          numberColumn('p99Ms', t.p99),
          numberColumn('refusedPerSecond', t.refusedPerSecond),
          numberColumn('failedPerSecond', t.failedPerSecond),
        ]}
      />
      <h2>{t.refused}</h2>
      {data.refused.length === 0 ? (
        <p class="soft">{t.noneRefused}</p>
      ) : (
        <Table
          caption={t.refused}
          rows={data.refused}
          rowKey={({ code, endpoint }) => `${code} ${endpoint}`}
          columns={[
            codeColumn('code', t.code),
            codeColumn('endpoint', t.endpoint),
            numberColumn('requests', t.requests),
          ]}
        />
      )}
      <h2>{t.gateways}</h2>
      <Table
        caption={t.gateways}
        rows={data.gateways}
        rowKey={({ id }) => id}
        columns={[
          { key: 'host', title: t.gateway, cell: ({ host, pid }) => <code>{`${host} ${pid}`}</code> },
          numberColumn('requestsPerSecond', t.perSecond),
          numberColumn('connections', t.connections),
          numberColumn('cpuPercent', t.cpu),
          numberColumn('residentMb', t.memory),
          {
            key: 'seenAt',
            title: t.seen,
            cell: ({ seenAt }) => <Instant at={seenAt} text={formatAgo(seenAt)} />,
          },
        ]}
      />
    </>
  );
}
