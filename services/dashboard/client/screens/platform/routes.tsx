/** Every route of the configuration, with where it stands; search and filters stand in the address. */
import { useAddress } from '../../address.ts';
import type { PlatformData } from '../../api/wire.ts';
import { Field } from '../../design/field.tsx';
import { SearchField } from '../../design/search-field.tsx';
import { type Column, Table } from '../../design/table.tsx';
import { formatNumber } from '../../texts/format.ts';
import { codeColumn } from './columns.tsx';
import { choicesOf, HERE, matchingRoutes, placeOf } from './matching-routes.ts';
import { platformTexts } from './texts.ts';

type Route = PlatformData<'configuration'>['routes'][number];

export function Routes({ routes }: { routes: readonly Route[] }) {
  const t = platformTexts.value;
  const { parameters, change } = useAddress();
  const found = matchingRoutes(routes, parameters);
  const filter = (name: 'backend' | 'limit') => (
    <Field
      label={t[name === 'backend' ? 'service' : 'limit']}
      value={parameters[name] ?? ''}
      onInput={(value) => change({ [name]: value }, true)}
      options={[
        { value: '', text: t.all },
        ...choicesOf(routes, name).map((value) => ({ value, text: value === HERE ? t.answeredHere : value })),
      ]}
    />
  );
  const columns: Column<Route>[] = [
    { key: 'path', title: t.route, cell: ({ method, path }) => <code>{`${method} ${path}`}</code> },
    {
      key: 'endpoint',
      title: t.endpoint,
      cell: (route) => (
        <>
          <code>{route.endpoint}</code> <code class="small soft">{placeOf(route)}</code>
        </>
      ),
    },
    { key: 'rule', title: t.rule, cell: ({ rule }) => rule },
    {
      key: 'policies',
      title: t.policies,
      cell: ({ pipeline, policies }) => (
        <>
          <code>{pipeline}</code>: {policies.join(', ')}
        </>
      ),
    },
    { key: 'limits', title: t.limit, cell: ({ limits }) => limits.join(', ') || '–' },
    codeColumn('service', t.service),
  ];
  return (
    <>
      <h2>{t.routes}</h2>
      <search class="row">
        <SearchField label={t.searchRoutes} />
        {filter('backend')}
        {filter('limit')}
      </search>
      <p class="hint" role="status">
        {t.found(formatNumber(found.length), formatNumber(routes.length))}
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
