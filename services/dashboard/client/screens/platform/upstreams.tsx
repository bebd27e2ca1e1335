/** Backends with each of their addresses, and whether stores and counters answer. */
import type { PlatformData } from '../../api/wire.ts';
import { type Column, Table } from '../../design/table.tsx';
import { Loaded } from '../../states/loaded.tsx';
import { Backend, codeColumn, numberColumn } from './columns.tsx';
import { platformTexts } from './texts.ts';
import { useView } from './use-view.ts';

type Data = PlatformData<'upstreams'>;
type Upstream = Data['upstreams'][number];
type Row = Upstream['addresses'][number] & Pick<Upstream, 'service'>;

export function UpstreamsView() {
  const t = platformTexts.value;
  return (
    <Loaded read={useView('upstreams', {}, true)} lines={10}>
      {({ data }) => (
        <>
          <dl class="facts">
            <dt>{t.documentStore}</dt>
            <dd>
              <State isBad={data.documentStore !== 'answers'} text={t.states[data.documentStore]} />
            </dd>
            {Object.entries(data.checks)
              .filter(([name]) => name !== 'documents')
              .map(([name, check]) => [
                <dt key={name}>{name === 'counters' ? t.counters : <code>{name}</code>}</dt>,
                <dd key={`${name} state`}>
                  <State isBad={check !== 'ok'} text={t.checks[check]} />
                </dd>,
              ])}
          </dl>
          <Table
            caption={t.views.upstreams}
            rows={data.upstreams}
            rowKey={({ service }) => service}
            columns={[
              codeColumn('service', t.service),
              numberColumn('requestsPerSecond', t.perSecond),
              numberColumn('failuresPerSecond', t.failedPerSecond),
            ]}
          />
          <Addresses upstreams={data.upstreams} />
          <Table
            caption={t.counters}
            rows={data.counterStores}
            rowKey={({ gateway }) => gateway}
            columns={[
              codeColumn('gateway', t.gateway),
              {
                key: 'state',
                title: t.counters,
                cell: ({ state }) => (
                  <span class={state === 'failed' || state === 'given up' ? 'badge bad' : undefined}>
                    {t.states[state]}
                  </span>
                ),
              },
            ]}
          />
        </>
      )}
    </Loaded>
  );
}

function State({ isBad, text }: { isBad: boolean; text: string }) {
  return <span class={isBad ? 'badge bad' : 'badge good'}>{text}</span>;
}

function Addresses({ upstreams }: { upstreams: readonly Upstream[] }) {
  const t = platformTexts.value;
  const rows = upstreams.flatMap(({ service, addresses }) =>
    addresses.map((address): Row => ({ service, ...address })),
  );
  const columns: Column<Row>[] = [
    {
      key: 'address',
      title: t.address,
      cell: ({ service, address }) => (
        <>
          <code>{service}</code> <Backend address={address} />
        </>
      ),
    },
    {
      key: 'health',
      title: t.health,
      cell: ({ isChecked, unhealthyAt, gateways }) => {
        if (!isChecked) return t.notChecked;
        return unhealthyAt === 0 ? (
          t.healthy
        ) : (
          <span class="badge bad">{t.unhealthyAt(unhealthyAt, gateways)}</span>
        );
      },
    },
    {
      key: 'breaker',
      title: t.breaker,
      cell: ({ hasBreaker, openAt, failingAt, gateways }) => {
        if (!hasBreaker) return t.noBreaker;
        if (openAt > 0) return <span class="badge bad">{t.openAt(openAt, gateways)}</span>;
        return failingAt > 0 ? t.failingAt(failingAt, gateways) : t.closed;
      },
    },
    numberColumn('inFlight', t.inFlight),
    numberColumn('requests', t.requests),
    numberColumn('failures', t.failures),
    numberColumn('retries', t.retries),
  ];
  return (
    <>
      <h2>{t.addresses}</h2>
      <Table
        caption={t.addresses}
        rows={rows}
        rowKey={({ service, address }) => `${service} ${address}`}
        columns={columns}
        stacks
      />
      <p class="hint">{t.addressesHint}</p>
    </>
  );
}
