/** Backends with their addresses, and whether the stores answer. */
import { Table } from '../../design/table.tsx';
import { Loaded } from '../../states/loaded.tsx';
import { codeColumn, numberColumn } from './columns.tsx';
import { platformTexts } from './texts.ts';
import { useView } from './use-view.ts';

export function UpstreamsView() {
  const t = platformTexts.value;
  return (
    <Loaded read={useView('upstreams', {}, true)} lines={10}>
      {({ data: { documentStore, upstreams, counterStores } }) => (
        <>
          <p>
            {t.documentStore}:{' '}
            <span class={documentStore === 'answers' ? 'badge good' : 'badge bad'}>
              {t.states[documentStore]}
            </span>
          </p>
          <Table
            caption={t.views.upstreams}
            rows={upstreams}
            rowKey={({ service }) => service}
            columns={[
              codeColumn('service', t.service),
              numberColumn('requestsPerSecond', t.perSecond),
              numberColumn('failuresPerSecond', t.failedPerSecond),
              {
                key: 'addresses',
                title: t.addresses,
                cell: ({ addresses }) => (
                  <ul>
                    {addresses.map(({ address, outAt, gateways }) => (
                      <li key={address}>
                        <code>{address}</code>{' '}
                        {outAt > 0 && <span class="badge bad">{t.outAt(outAt, gateways)}</span>}
                      </li>
                    ))}
                  </ul>
                ),
              },
            ]}
          />
          <Table
            caption={t.counters}
            rows={counterStores}
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
