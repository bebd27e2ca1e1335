/** The target groups: a list, or the one that the address names. */
import { addressOf, HOME, useAddress } from '../../address.ts';
import type { TargetGroupView } from '../../api/wire.ts';
import { Button } from '../../design/button.tsx';
import { PageHead } from '../../design/page-head.tsx';
import { SearchField } from '../../design/search-field.tsx';
import type { Column } from '../../design/table.tsx';
import { Empty } from '../../states/empty.tsx';
import { RecordList, useRecords } from '../../states/record-list.tsx';
import { Told } from '../../states/told.tsx';
import { formatDate, formatNumber } from '../../texts/format.ts';
import { texts } from '../../texts/texts.ts';
import { NewGroup, OneGroup } from './one-group.tsx';
import { Swatch } from './swatch.tsx';
import { flagTexts } from './texts.ts';
import { WayBack } from './way-back.tsx';

const LIST = `${HOME}/flags/groups`;
const PATH = '/v1/target-groups';
/** Of the file, by their names in the API. */
const FIELDS = ['id', 'name', 'description', 'color', 'createdAt', 'updatedAt'] as const;

export function Groups() {
  const { parameters, go } = useAddress();
  const { group } = parameters;
  if (!group) return <GroupList />;
  const toList = () => go(LIST, {}, true);
  return group === 'new' ? (
    <NewGroup onMade={toList} />
  ) : (
    <OneGroup key={group} id={group} onDeleted={toList} />
  );
}

function GroupList() {
  const t = flagTexts.value;
  const records = useRecords<TargetGroupView>(PATH, ['name', 'createdAt']);
  const add = (
    <Button kind="primary" icon="plus" href={addressOf(LIST, { group: 'new' })}>
      {t.newGroup}
    </Button>
  );
  return (
    <>
      <WayBack to={`${HOME}/flags`} text={t.title} />
      <PageHead title={t.groups} lead={t.groupsLead}>
        {add}
      </PageHead>
      <Told />
      <search class="filters screen-only">
        <SearchField label={texts.value.words.search} />
      </search>
      <RecordList
        {...records}
        title={t.groups}
        path={PATH}
        file="target-groups"
        fields={FIELDS}
        columns={columns()}
        empty={
          <Empty level={2} title={t.noGroup}>
            {add}
          </Empty>
        }
      />
    </>
  );
}

function columns(): Column<TargetGroupView>[] {
  const t = flagTexts.value;
  return [
    {
      key: 'name',
      title: texts.value.words.name,
      sort: 'name',
      cell: ({ id, name, color }) => (
        <span class="row">
          <Swatch color={color} />
          <a href={addressOf(LIST, { group: id })}>
            <bdi>{name}</bdi>
          </a>
        </span>
      ),
    },
    { key: 'description', title: t.description, cell: ({ description }) => <bdi>{description}</bdi> },
    { key: 'rules', title: t.rules, isNumber: true, cell: ({ rules }) => formatNumber(rules.length) },
    {
      key: 'createdAt',
      title: texts.value.words.created,
      sort: 'createdAt',
      cell: ({ createdAt }) => <time dateTime={createdAt}>{formatDate(createdAt)}</time>,
    },
  ];
}
