/** The API keys of the organization: searched, sorted, each with what it may do, when it was last used and what state it is in. */
import { addressOf, HOME, useAddress } from '../../address.ts';
import { manages } from '../../api/session.ts';
import { useRead } from '../../api/use-read.ts';
import type { ApiKeyView } from '../../api/wire.ts';
import { Button } from '../../design/button.tsx';
import { PageHead } from '../../design/page-head.tsx';
import { Pager } from '../../design/pager.tsx';
import { SearchField } from '../../design/search-field.tsx';
import { type Column, Table } from '../../design/table.tsx';
import { Empty } from '../../states/empty.tsx';
import { Forbidden } from '../../states/forbidden.tsx';
import { Loaded } from '../../states/loaded.tsx';
import { formatDate } from '../../texts/format.ts';
import { texts } from '../../texts/texts.ts';
import { KeyBadges, KeyEnds, LastUse, Reach, ScopeBadges } from './key-facts.tsx';
import { keysTexts } from './texts.ts';

const NEWEST_FIRST = '-createdAt';
/** Orders that the API knows. */
const SORTS = ['createdAt', '-createdAt', 'name', '-name', 'lastUsedAt', '-lastUsedAt'];
const PER_PAGE = 50;

interface KeyList {
  readonly data: readonly ApiKeyView[];
  readonly nextCursor?: string;
}

export function Keys() {
  return manages.value ? <List /> : <Forbidden title={keysTexts.value.title} />;
}

function List() {
  const t = keysTexts.value;
  const { parameters, change } = useAddress();
  const search = parameters.search?.slice(0, 200) || undefined;
  const sort = SORTS.find((each) => each === parameters.sort) ?? NEWEST_FIRST;
  const { cursor } = parameters;
  const read = useRead<KeyList>({
    path: '/v1/api-keys',
    query: { search, sort, cursor: cursor || undefined, limit: PER_PAGE },
  });
  return (
    <>
      <PageHead title={t.title} lead={t.lead}>
        <Button kind="primary" icon="plus" href={`${HOME}/keys/new`}>
          {t.add}
        </Button>
      </PageHead>
      <search class="keys-search">
        <SearchField label={texts.value.words.search} hint={t.searchHint} />
      </search>
      <Loaded read={read} lines={8}>
        {({ data, nextCursor }) => (
          <>
            {data.length > 0 ? (
              <Table
                caption={t.title}
                columns={columns()}
                rows={data}
                rowKey={({ id }) => id}
                sort={sort}
                onSort={(wanted) => change({ sort: wanted, cursor: undefined })}
                stacks
              />
            ) : (
              <Nothing isSearch={search !== undefined} goesOn={nextCursor !== undefined} />
            )}
            <Pager nextCursor={nextCursor} />
          </>
        )}
      </Loaded>
    </>
  );
}

function columns(): Column<ApiKeyView>[] {
  const t = texts.value;
  const now = Date.now();
  return [
    { key: 'name', title: t.words.name, sort: 'name', cell: (key) => <Name of={key} /> },
    { key: 'state', title: keysTexts.value.state, cell: (key) => <KeyBadges of={key} now={now} /> },
    { key: 'scopes', title: t.words.scopes, cell: (key) => <ScopeBadges of={key} /> },
    { key: 'websites', title: t.words.websites, cell: (key) => <Reach of={key} /> },
    {
      key: 'lastUsed',
      title: keysTexts.value.lastUsed,
      sort: 'lastUsedAt',
      cell: (key) => <LastUse of={key} />,
    },
    {
      key: 'createdAt',
      title: t.words.created,
      sort: 'createdAt',
      cell: ({ createdAt }) => <time dateTime={createdAt}>{formatDate(createdAt)}</time>,
    },
  ];
}

function Name({ of: key }: { of: ApiKeyView }) {
  return (
    <span class="key-name">
      <a href={addressOf(`${HOME}/keys/${encodeURIComponent(key.id)}`)}>
        <bdi>{key.name}</bdi>
      </a>
      <KeyEnds of={key} />
    </span>
  );
}

function Nothing({ isSearch, goesOn }: { isSearch: boolean; goesOn: boolean }) {
  const t = keysTexts.value;
  if (goesOn) return <Empty level={2} title={t.noneFoundYet} />;
  if (isSearch) {
    return (
      <Empty level={2} title={t.noneFound}>
        <p>{t.noneFoundHint}</p>
      </Empty>
    );
  }
  return (
    <Empty level={2} title={t.empty}>
      <p>{t.emptyHint}</p>
    </Empty>
  );
}
