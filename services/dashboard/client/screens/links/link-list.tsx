/** The links of the organization: searched, sorted, each with its short address, its target, its clicks and its state. */
import { HOME, useAddress } from '../../address.ts';
import { may } from '../../api/session.ts';
import { useRead } from '../../api/use-read.ts';
import type { LinkView } from '../../api/wire.ts';
import { Button } from '../../design/button.tsx';
import { Copy } from '../../design/copy.tsx';
import { Instant } from '../../design/instant.tsx';
import { PageHead } from '../../design/page-head.tsx';
import { Pager } from '../../design/pager.tsx';
import { SearchField } from '../../design/search-field.tsx';
import { type Column, Table } from '../../design/table.tsx';
import { ExportActs } from '../../exports/export-acts.tsx';
import type { Page } from '../../exports/whole-list.ts';
import { Empty } from '../../states/empty.tsx';
import { FaultNotice } from '../../states/fault-notice.tsx';
import { Forbidden } from '../../states/forbidden.tsx';
import { Loaded } from '../../states/loaded.tsx';
import { NoNumber } from '../../states/no-number.tsx';
import { PartFailed } from '../../states/part-failed.tsx';
import { Told } from '../../states/told.tsx';
import { formatDate, formatNumber, timezone } from '../../texts/format.ts';
import { texts } from '../../texts/texts.ts';
import { answerOf, type QueryBatch } from '../../website/batch.ts';
import { Outward, StateBadge, shortAddress } from './link-facts.tsx';
import { CSV_COLUMNS, csvRow, type Totals, totalsOf } from './model.ts';
import { type ListQuery, listRequest, totalsRequest } from './questions.ts';
import { linkTexts } from './texts.ts';
import { wholeFile } from './whole-file.ts';

/** Characters of a target: all of it stands with the link. */
const MOST_OF_TARGET = 80;
const NEWEST_FIRST = '-createdAt';
/** Orders that the API knows. */
const SORTS = ['createdAt', '-createdAt', 'name', '-name', 'slug', '-slug'];

export function Links() {
  return may('read:links') ? <List /> : <Forbidden title={linkTexts.value.title} />;
}

function List() {
  const t = linkTexts.value;
  const { parameters } = useAddress();
  const sort = SORTS.find((each) => each === parameters.sort) ?? NEWEST_FIRST;
  const search = parameters.search?.slice(0, 200) || undefined;
  const cursor = parameters.cursor || undefined;
  const read = useRead<Page<LinkView>>(listRequest({ search, sort, cursor }), { isKept: true });
  const isFirstRun = read.data?.data.length === 0 && !read.data.nextCursor && !search && !cursor;
  return (
    <>
      <PageHead title={t.title} lead={t.lead}>
        {may('write:links') && !isFirstRun && (
          <Button kind="primary" icon="plus" href={`${HOME}/links/new`}>
            {t.add}
          </Button>
        )}
      </PageHead>
      <Told />
      {!isFirstRun && (
        <search class="keys-search">
          <SearchField label={texts.value.words.search} hint={t.searchHint} />
        </search>
      )}
      <Loaded read={read} lines={9}>
        {({ data, nextCursor }) => (
          <>
            {isFirstRun && <FirstRun />}
            {data.length === 0 && !isFirstRun && (
              <Empty level={2} title={nextCursor === undefined ? t.noneFound : t.noneFoundYet} />
            )}
            {data.length > 0 && (
              <Rows links={data} query={{ search, sort, cursor }} isPart={Boolean(cursor ?? nextCursor)} />
            )}
            <Pager nextCursor={nextCursor} />
          </>
        )}
      </Loaded>
    </>
  );
}

interface RowsProps {
  readonly links: readonly LinkView[];
  readonly query: ListQuery & { readonly sort: string };
  /** The list has other pages. */
  readonly isPart: boolean;
}

function Rows({ links, query, isPart }: RowsProps) {
  const t = linkTexts.value;
  const { change } = useAddress();
  const ids = links.map(({ id }) => id);
  const read = useRead<QueryBatch>(totalsRequest(ids, timezone.value));
  // Numbers of the links before say nothing of these.
  const answer = read.isOld ? undefined : answerOf(read.data, 'link_totals');
  const totals = read.isOld ? undefined : totalsOf(read.data);
  return (
    <div class="stack links" aria-busy={read.isLoading}>
      {read.fault && (
        <FaultNotice
          fault={read.fault}
          at={read.data && read.at}
          repeatsAt={read.repeatsAt}
          again={read.again}
        />
      )}
      {answer?.success === false && <PartFailed answer={answer} again={read.again} />}
      <Table
        caption={t.title}
        columns={columns(totals)}
        rows={links}
        rowKey={({ id }) => id}
        sort={query.sort}
        onSort={(sort) => change({ sort, cursor: undefined })}
        stacks
      />
      <ExportActs
        title={t.title}
        file="links"
        header={CSV_COLUMNS}
        rows={links.map((link) => csvRow(link, totals?.(link.id)))}
        whole={isPart ? () => wholeFile(query, timezone.value) : undefined}
        request={listRequest(query)}
        isBusy={totals === undefined && read.isLoading}
      />
    </div>
  );
}

function columns(totals: ((id: string) => Totals) | undefined): Column<LinkView>[] {
  const t = linkTexts.value;
  return [
    {
      key: 'name',
      title: texts.value.words.name,
      sort: 'name',
      cell: ({ id, name }) => (
        <a href={`${HOME}/links/${encodeURIComponent(id)}`}>
          <bdi>{name}</bdi>
        </a>
      ),
    },
    {
      key: 'slug',
      title: t.address,
      sort: 'slug',
      cell: ({ slug }) => <Copy text={shortAddress(slug)} label={shortAddress(slug)} />,
    },
    {
      key: 'target',
      title: t.target,
      cell: ({ targetUrl }) => <Outward url={targetUrl} most={MOST_OF_TARGET} />,
    },
    {
      key: 'clicks',
      title: t.clicksOfList,
      isNumber: true,
      cell: ({ id }) => (totals === undefined ? <NoNumber /> : formatNumber(totals(id).clicks)),
    },
    {
      key: 'state',
      title: t.state,
      cell: (link) => (
        <>
          <StateBadge of={link} />
          {link.expiresAt !== null && (
            <p class="small soft">
              <Instant at={link.expiresAt} />
            </p>
          )}
        </>
      ),
    },
    {
      key: 'createdAt',
      title: texts.value.words.created,
      sort: 'createdAt',
      cell: ({ createdAt }) => <time dateTime={createdAt}>{formatDate(createdAt)}</time>,
    },
  ];
}

function FirstRun() {
  const t = linkTexts.value;
  return (
    <section class="card">
      <Empty title={t.firstRun.title} level={2}>
        {may('write:links') ? (
          <>
            <p>{t.firstRun.lead}</p>
            <Button kind="primary" icon="plus" href={`${HOME}/links/new`}>
              {t.add}
            </Button>
          </>
        ) : (
          <p>{t.firstRun.ask}</p>
        )}
      </Empty>
    </section>
  );
}
