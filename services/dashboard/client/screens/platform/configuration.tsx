/** The configuration in force: which gateway has which, its warnings, and every route, searched as it is typed. */
import { useState } from 'preact/hooks';
import type { PlatformData } from '../../api/wire.ts';
import { Field } from '../../design/field.tsx';
import { Notice } from '../../design/notice.tsx';
import { type Column, Table } from '../../design/table.tsx';
import { Loaded } from '../../states/loaded.tsx';
import { formatDuration, formatNumber } from '../../texts/format.ts';
import { codeColumn } from './columns.tsx';
import { platformTexts } from './texts.ts';
import { useView } from './use-view.ts';

type Data = PlatformData<'configuration'>;
type Route = Data['routes'][number];

export function ConfigurationView() {
  return (
    <Loaded read={useView('configuration')} lines={16}>
      {({ data }) => <Shown data={data} />}
    </Loaded>
  );
}

function Shown({ data }: { data: Data }) {
  const t = platformTexts.value;
  const [search, setSearch] = useState('');
  const wanted = search.trim().toLowerCase();
  const found = data.routes.filter((route) => wordsOf(route).includes(wanted));
  const columns: Column<Route>[] = [
    { key: 'path', title: t.route, cell: ({ method, path }) => <code>{`${method} ${path}`}</code> },
    codeColumn('endpoint', t.endpoint),
    { key: 'rule', title: t.rule, cell: ({ rule }) => rule },
    { key: 'policies', title: t.policies, cell: ({ policies }) => policies.join(', ') },
    { key: 'limits', title: t.limit, cell: ({ limits }) => limits.join(', ') || '–' },
    codeColumn('service', t.service),
  ];
  return (
    <>
      {data.differ && <Notice kind="warn">{t.differ}</Notice>}
      <Table
        caption={t.gateways}
        rows={data.gateways}
        rowKey={({ id }) => id}
        columns={[
          { key: 'host', title: t.gateway, cell: ({ host, pid }) => <code>{`${host} ${pid}`}</code> },
          { key: 'hash', title: t.hash, cell: ({ configuration }) => <code>{configuration.hash}</code> },
          { key: 'age', title: t.age, cell: ({ configuration }) => formatDuration(configuration.ageSeconds) },
          {
            key: 'pinned',
            title: t.pinned,
            cell: ({ configuration: { pinned } }) => (pinned === null ? '–' : formatNumber(pinned)),
          },
        ]}
      />
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
      <h2>{t.routes}</h2>
      <Field label={t.searchRoutes} type="search" value={search} onInput={setSearch} maxLength={200} />
      <p class="hint" role="status">
        {t.found(formatNumber(found.length), formatNumber(data.routes.length))}
      </p>
      <Table
        caption={t.routes}
        rows={found}
        rowKey={({ method, path, endpoint }) => `${method} ${path} ${endpoint}`}
        columns={columns}
        stacks
      />
    </>
  );
}

function wordsOf({ method, path, endpoint, rule, policies, limits, service }: Route): string {
  return [method, path, endpoint, rule, ...policies, ...limits, service ?? ''].join(' ').toLowerCase();
}
