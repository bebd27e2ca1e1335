/** What organizations use, in numbers, page by page. */
import { addressOf, useAddress } from '../../address.ts';
import { Instant } from '../../design/instant.tsx';
import { Table } from '../../design/table.tsx';
import { Loaded } from '../../states/loaded.tsx';
import { formatInstant, formatNumber } from '../../texts/format.ts';
import { codeColumn, numberColumn } from './columns.tsx';
import { platformTexts } from './texts.ts';
import { useView } from './use-view.ts';

/** What the API sorts by besides ids, the most first. */
const SORTS = ['requests', 'limited'] as const;

export function OrganizationsView() {
  const t = platformTexts.value;
  const { path, parameters, change } = useAddress();
  const sort = SORTS.find((name) => `-${name}` === parameters.sort);
  return (
    <Loaded read={useView('organizations', { sort, after: sort ? undefined : parameters.after })} lines={12}>
      {({ data: { organizations, next } }) => (
        <>
          <Table
            caption={t.views.organizations}
            rows={organizations}
            rowKey={({ id }) => id}
            sort={sort ? `-${sort}` : 'id'}
            onSort={(wanted) =>
              change({ sort: wanted.endsWith('id') ? undefined : wanted, after: undefined })
            }
            columns={[
              { ...codeColumn('id', t.organization), sort: 'id' },
              codeColumn('plan', t.plan),
              numberColumn('websites', t.websites),
              {
                key: 'requests',
                title: t.monthRequests,
                isNumber: true,
                cell: ({ usage }) => formatNumber(usage.requests),
              },
              {
                key: 'events',
                title: t.monthEvents,
                isNumber: true,
                cell: ({ usage }) => formatNumber(usage.events),
              },
              {
                key: 'lastDay',
                title: t.requestsToday,
                sort: 'requests',
                isNumber: true,
                cell: ({ lastDay }) =>
                  formatNumber(Object.values(lastDay).reduce((all, one) => all + one, 0)),
              },
              {
                key: 'limited',
                title: t.limitedToday,
                sort: 'limited',
                isNumber: true,
                cell: ({ lastDay }) => formatNumber(lastDay.limited ?? 0),
              },
              {
                key: 'near',
                title: t.near,
                cell: ({ near }) =>
                  near === null ? (
                    '–'
                  ) : (
                    <span class="badge bad">
                      {t.leftOf(formatNumber(near.remaining), formatNumber(near.limit))}
                    </span>
                  ),
              },
              {
                key: 'createdAt',
                title: t.since,
                cell: ({ createdAt }) => <Instant at={createdAt} text={formatInstant(createdAt)} />,
              },
            ]}
          />
          {sort && <p class="hint">{t.busiestHint}</p>}
          <p class="row">
            {parameters.after !== undefined && (
              <a href={addressOf(path, { view: 'organizations' })}>{t.first}</a>
            )}
            {next !== null && <a href={addressOf(path, { view: 'organizations', after: next })}>{t.more}</a>}
          </p>
        </>
      )}
    </Loaded>
  );
}
