/** The flags of the organization and of its websites: searched, sorted, of one state or of all. */
import { HOME, useAddress } from '../../address.ts';
import { useWebsites, type WebsiteSummary } from '../../api/websites.ts';
import type { FlagView } from '../../api/wire.ts';
import { Button } from '../../design/button.tsx';
import { Field } from '../../design/field.tsx';
import { PageHead } from '../../design/page-head.tsx';
import { SearchField } from '../../design/search-field.tsx';
import type { Column } from '../../design/table.tsx';
import { Empty } from '../../states/empty.tsx';
import { RecordList, useRecords } from '../../states/record-list.tsx';
import { Told } from '../../states/told.tsx';
import { texts } from '../../texts/texts.ts';
import { STATUSES } from './flag-draft.ts';
import { otherwiseOf, Place, StatusBadge } from './flag-facts.tsx';
import { flagTexts } from './texts.ts';

const PATH = '/v1/flags';
/** Of the file, by their names in the API. */
const FIELDS = [
  'id',
  'key',
  'name',
  'status',
  'type',
  'websiteId',
  'environment',
  'rolloutPercentage',
  'rolloutBy',
  'createdAt',
  'updatedAt',
] as const;

export function FlagList() {
  const t = flagTexts.value;
  const { parameters, change } = useAddress();
  const status = STATUSES.find((each) => each === parameters.status);
  const records = useRecords<FlagView>(PATH, ['key', 'name'], { status });
  const isOfWebsites = records.read.data?.data.some(({ websiteId }) => websiteId !== null) ?? false;
  const websites = useWebsites(isOfWebsites).data?.websites;
  const add = (
    <Button kind="primary" icon="plus" href={`${HOME}/flags/new`}>
      {t.add}
    </Button>
  );
  return (
    <>
      <PageHead title={t.title} lead={t.lead}>
        <Button icon="users" href={`${HOME}/flags/groups`}>
          {t.groups}
        </Button>
        {add}
      </PageHead>
      <Told />
      <search class="filters screen-only">
        <SearchField label={texts.value.words.search} hint={t.searchHint} />
        <Field
          label={t.status}
          value={status ?? ''}
          onInput={(next) => change({ status: next, cursor: undefined }, true)}
          options={[
            { value: '', text: texts.value.words.all },
            ...STATUSES.map((value) => ({ value, text: t.statuses[value] })),
          ]}
        />
      </search>
      <RecordList
        {...records}
        title={t.title}
        path={PATH}
        file="flags"
        fields={FIELDS}
        columns={columns(websites)}
        empty={
          <Empty level={2} title={t.empty}>
            <p>{t.emptyHint}</p>
            {add}
          </Empty>
        }
      />
    </>
  );
}

function columns(websites: readonly WebsiteSummary[] | undefined): Column<FlagView>[] {
  const t = flagTexts.value;
  return [
    {
      key: 'key',
      title: t.key,
      sort: 'key',
      cell: ({ id, key }) => (
        <a href={`${HOME}/flags/${encodeURIComponent(id)}`}>
          <bdi class="mono">{key}</bdi>
        </a>
      ),
    },
    { key: 'name', title: texts.value.words.name, sort: 'name', cell: ({ name }) => <bdi>{name}</bdi> },
    { key: 'status', title: t.status, cell: (flag) => <StatusBadge of={flag} /> },
    { key: 'type', title: t.type, cell: ({ type }) => t.types[type] },
    { key: 'place', title: t.place, cell: (flag) => <Place of={flag} websites={websites} /> },
    { key: 'otherwise', title: t.withoutRule, cell: otherwiseOf },
  ];
}
