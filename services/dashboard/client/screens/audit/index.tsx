/** The audit: who did what, when and from where, in words. */
import { HOME, useAddress } from '../../address.ts';
import { call } from '../../api/call.ts';
import { manages } from '../../api/session.ts';
import { useRead } from '../../api/use-read.ts';
import type { AuditName, AuditRecordView } from '../../api/wire.ts';
import { Field } from '../../design/field.tsx';
import { PageHead } from '../../design/page-head.tsx';
import { Pager } from '../../design/pager.tsx';
import { SearchField } from '../../design/search-field.tsx';
import { ExportActs } from '../../exports/export-acts.tsx';
import { type Page, wholeList } from '../../exports/whole-list.ts';
import { Empty } from '../../states/empty.tsx';
import { Forbidden } from '../../states/forbidden.tsx';
import { Loaded } from '../../states/loaded.tsx';
import { timezone } from '../../texts/format.ts';
import { texts } from '../../texts/texts.ts';
import { COLUMNS, cellsOf } from './csv-row.ts';
import { actorsOf, isBy, type Names, namesOf, sentenceOf } from './names.ts';
import { periodOf } from './period.ts';
import { Records } from './records.tsx';
import { auditTexts } from './texts.ts';

const PAGE = 50;
/** The most that the API answers at once, for a file. */
const LARGEST_PAGE = 100;

interface AuditPage extends Page<AuditRecordView> {
  readonly names?: readonly AuditName[];
}

export function Audit() {
  const t = auditTexts.value;
  return manages.value ? <AuditList /> : <Forbidden title={t.title} />;
}

function AuditList() {
  const t = auditTexts.value;
  const { parameters, change } = useAddress();
  const { who, search, action, cursor } = parameters;
  const sort = parameters.sort === 'at' ? 'at' : '-at';
  const query = {
    limit: PAGE,
    sort,
    search: who || search || undefined,
    action: action || undefined,
    ...periodOf(parameters, timezone.value),
    cursor,
  };
  const read = useRead<AuditPage>({ path: '/v1/audit', query: { ...query, names: true } });
  const told = read.data?.names ?? [];
  const names = namesOf(told);
  const ofWho = (records: readonly AuditRecordView[]) =>
    who ? records.filter((record) => isBy(record, who)) : records;
  /** All that fits the filter, not only the page that is shown. */
  async function whole() {
    const all = await wholeList((next) =>
      call<AuditPage>({ path: '/v1/audit', query: { ...query, limit: LARGEST_PAGE, cursor: next } }),
    );
    return all.ok ? { ...all, rows: ofWho(all.rows).map(cellsOf) } : all;
  }
  return (
    <>
      <PageHead title={t.title} lead={t.lead} />
      <section class="card stack audit">
        <Filters actors={actorsOf(told)} names={names} />
        <Loaded read={read} lines={12}>
          {({ data, nextCursor }) => {
            const found = ofWho(data);
            return (
              <>
                {found.length === 0 && nextCursor === undefined && (
                  <Empty level={2} title={t.none}>
                    <p>{t.noneHint}</p>
                    <a href={`${HOME}/audit`}>{texts.value.words.all}</a>
                  </Empty>
                )}
                {found.length === 0 && nextCursor !== undefined && (
                  <Empty level={2} title={t.noneYet}>
                    <p>{t.noneYetHint}</p>
                  </Empty>
                )}
                {found.length > 0 && (
                  <Records
                    records={found}
                    names={names}
                    sort={sort}
                    onSort={(next) => change({ sort: next, cursor: undefined }, true)}
                  />
                )}
                {found.length > 0 && (
                  <ExportActs
                    title={t.title}
                    file="audit"
                    header={COLUMNS}
                    rows={found.map(cellsOf)}
                    whole={cursor || nextCursor ? whole : undefined}
                    request={{ path: '/v1/audit', query }}
                    isOfSession
                  />
                )}
                <Pager nextCursor={nextCursor} />
              </>
            );
          }}
        </Loaded>
      </section>
    </>
  );
}

function Filters({ actors, names }: { actors: readonly string[]; names: Names }) {
  const t = auditTexts.value;
  const { parameters, change } = useAddress();
  const { who = '', action = '', from = '', to = '' } = parameters;
  const nameOf = (id: string) => (id === 'cli' ? t.commandLine : (names.get(id) ?? id));
  const offered = who === '' || actors.includes(who) ? actors : [...actors, who];
  const actions = Object.keys(t.actions);
  const shownActions = action === '' || actions.includes(action) ? actions : [...actions, action];
  const set =
    (name: string, also: object = {}) =>
    (value: string) =>
      change({ [name]: value, cursor: undefined, ...also }, true);
  return (
    <div class="filters screen-only">
      <Field
        label={t.who}
        value={who}
        onInput={set('who', { search: undefined })}
        options={[
          { value: '', text: t.everybody },
          ...offered.map((id) => ({ value: id, text: nameOf(id) })),
        ]}
      />
      <Field
        label={t.action}
        value={action}
        onInput={set('action')}
        options={[
          { value: '', text: t.everything },
          ...shownActions.map((each) => ({
            value: each,
            text: sentenceOf(each, t.actions).replace(/:$/, ''),
          })),
        ]}
      />
      <Field label={t.firstDay} type="date" value={from} onInput={set('from')} />
      <Field label={t.lastDay} type="date" value={to} onInput={set('to')} />
      {/* The API searches for one text: who acted, or this. */}
      <SearchField label={t.search} hint={t.searchHint} ends={['who']} />
    </div>
  );
}
