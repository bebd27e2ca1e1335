/** The configuration in force: since when and from where, which gateway has which, its warnings, plans, limits and every route. */
import type { PlatformData } from '../../api/wire.ts';
import { Instant } from '../../design/instant.tsx';
import { Notice } from '../../design/notice.tsx';
import { Table } from '../../design/table.tsx';
import { Loaded } from '../../states/loaded.tsx';
import { formatDuration, formatList, formatNumber } from '../../texts/format.ts';
import { Plans } from './plans.tsx';
import { Routes } from './routes.tsx';
import { platformTexts } from './texts.ts';
import { useView } from './use-view.ts';

type Data = PlatformData<'configuration'>;
type Gateway = Data['gateways'][number];

export function ConfigurationView() {
  return (
    <Loaded read={useView('configuration')} lines={16}>
      {({ data }) => <Shown data={data} />}
    </Loaded>
  );
}

function Shown({ data }: { data: Data }) {
  const t = platformTexts.value;
  // The one that answers comes first.
  const [own] = data.gateways;
  return (
    <>
      <dl class="facts">
        <dt>{t.hash}</dt>
        <dd>
          <code>{data.hash}</code>
        </dd>
        {own && (
          <>
            <dt>{t.loaded}</dt>
            <dd>
              <Instant at={loadedAt(own)} />
            </dd>
          </>
        )}
        <dt>{t.from}</dt>
        <dd>{data.pinned === null ? t.fromFiles : t.fromHistory(formatNumber(data.pinned))}</dd>
      </dl>
      <Gateways data={data} />
      {data.warnings.length > 0 && (
        <>
          <h2>{t.warnings}</h2>
          <ul>
            {data.warnings.map((warning) => (
              <li key={warning}>
                <code>{warning}</code>
              </li>
            ))}
          </ul>
        </>
      )}
      <Plans plans={data.plans} limits={data.limits} />
      <Routes routes={data.routes} />
    </>
  );
}

/** Those whose configuration is another one than that of the gateway that answers are named. */
function Gateways({ data: { hash, gateways } }: { data: Data }) {
  const t = platformTexts.value;
  const others = gateways.filter(({ configuration }) => configuration.hash !== hash);
  return (
    <>
      {others.length > 0 && <Notice kind="warn">{t.differ(formatList(others.map(nameOf)))}</Notice>}
      <Table
        caption={t.gateways}
        rows={gateways}
        rowKey={({ id }) => id}
        columns={[
          { key: 'host', title: t.gateway, cell: (gateway) => <code>{nameOf(gateway)}</code> },
          {
            key: 'hash',
            title: t.hash,
            cell: ({ configuration }) => (
              <>
                <code>{configuration.hash}</code>{' '}
                {configuration.hash !== hash && <span class="badge bad">{t.differs}</span>}
              </>
            ),
          },
          { key: 'age', title: t.age, cell: ({ configuration }) => formatDuration(configuration.ageSeconds) },
          {
            key: 'pinned',
            title: t.pinned,
            cell: ({ configuration: { pinned } }) => (pinned === null ? '–' : formatNumber(pinned)),
          },
        ]}
      />
    </>
  );
}

function nameOf({ host, pid }: Gateway): string {
  return `${host} ${pid}`;
}

function loadedAt({ seenAt, configuration }: Gateway): string {
  return new Date(Date.parse(seenAt) - configuration.ageSeconds * 1_000).toISOString();
}
