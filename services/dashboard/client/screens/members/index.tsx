/** The members of the organization and the invitations that wait, with what their roles may do. */
import { useRef, useState } from 'preact/hooks';
import { useAddress } from '../../address.ts';
import { call } from '../../api/call.ts';
import { manages } from '../../api/session.ts';
import { useRead } from '../../api/use-read.ts';
import type { MemberView } from '../../api/wire.ts';
import { Button } from '../../design/button.tsx';
import { Field } from '../../design/field.tsx';
import { PageHead } from '../../design/page-head.tsx';
import { Pager } from '../../design/pager.tsx';
import { SearchField } from '../../design/search-field.tsx';
import { ExportActs } from '../../exports/export-acts.tsx';
import { type Page, wholeList } from '../../exports/whole-list.ts';
import { Empty } from '../../states/empty.tsx';
import { Forbidden } from '../../states/forbidden.tsx';
import { Loaded } from '../../states/loaded.tsx';
import { Said } from '../../states/said.tsx';
import { InviteDialog } from './invite-dialog.tsx';
import { type Act, MemberRow } from './member-row.tsx';
import { RemoveDialog } from './remove-dialog.tsx';
import { ResetDialog } from './reset-dialog.tsx';
import { RoleDialog } from './role-dialog.tsx';
import { RoleList } from './role-list.tsx';
import { membersTexts } from './texts.ts';

const PAGE = 50;
/** The most that the API answers at once, for a file. */
const LARGEST_PAGE = 100;
/** So many are seen at a glance: nobody searches or sorts them. */
const FEW = 5;
/** Of the file, by their names in the API. */
const COLUMNS = ['id', 'status', 'userId', 'email', 'name', 'role', 'expiresAt', 'createdAt'] as const;
const DIALOGS = { role: RoleDialog, remove: RemoveDialog, reset: ResetDialog };
const cellsOf = (member: MemberView) => COLUMNS.map((name) => member[name]);
type Open = 'invite' | { readonly act: Act; readonly member: MemberView } | null;

export function Members() {
  const t = membersTexts.value;
  return manages.value ? <MemberList /> : <Forbidden title={t.title} />;
}

function MemberList() {
  const t = membersTexts.value;
  const { parameters, change } = useAddress();
  const { search, cursor } = parameters;
  const sorts = Object.keys(t.sorts) as (keyof typeof t.sorts)[];
  const sort = sorts.find((each) => each === parameters.sort) ?? 'createdAt';
  const query = { limit: PAGE, sort, search: search || undefined, cursor };
  const read = useRead<Page<MemberView>>({ path: '/v1/members', query });
  // Once there, the search stays: what is typed into it makes the list short.
  const isLong = useRef(false);
  isLong.current ||=
    Boolean(search || cursor || read.data?.nextCursor) || (read.data?.data.length ?? 0) > FEW;
  const [open, setOpen] = useState<Open>(null);
  const [said, say] = useState('');
  const close = () => setOpen(null);
  const begin = (next: Open) => {
    say('');
    setOpen(next);
  };
  function done(sentence: string): void {
    close();
    say(sentence);
    read.again();
  }
  async function whole() {
    const all = await wholeList((next) =>
      call<Page<MemberView>>({ path: '/v1/members', query: { ...query, limit: LARGEST_PAGE, cursor: next } }),
    );
    return all.ok ? { ...all, rows: all.rows.map(cellsOf) } : all;
  }
  const ActDialog = open !== null && open !== 'invite' ? DIALOGS[open.act] : null;
  return (
    <>
      <PageHead title={t.title} lead={t.lead}>
        <Button kind="primary" icon="plus" onClick={() => begin('invite')}>
          {t.invite}
        </Button>
      </PageHead>
      <Said text={said} />
      <section class="card stack">
        {isLong.current && (
          <div class="filters screen-only">
            <SearchField label={t.search} />
            <Field
              label={t.sort}
              value={sort}
              onInput={(next) => change({ sort: next, cursor: undefined }, true)}
              options={sorts.map((value) => ({ value, text: t.sorts[value] }))}
            />
          </div>
        )}
        <Loaded read={read} lines={6}>
          {({ data, nextCursor }) => (
            <>
              {data.length === 0 && (
                <Empty level={2} title={t.none}>
                  <p>{t.noneHint}</p>
                </Empty>
              )}
              <ul class="people">
                {data.map((member) => (
                  <MemberRow key={member.id} member={member} onAct={(act) => begin({ act, member })} />
                ))}
              </ul>
              {data.length > 0 && (
                <ExportActs
                  title={t.title}
                  file="members"
                  header={COLUMNS}
                  rows={data.map(cellsOf)}
                  whole={cursor || nextCursor ? whole : undefined}
                  request={{ path: '/v1/members', query }}
                  isOfSession
                />
              )}
              <Pager nextCursor={nextCursor} />
            </>
          )}
        </Loaded>
      </section>
      <RoleList />
      {open === 'invite' && <InviteDialog onClose={close} onMade={read.again} />}
      {open !== null && open !== 'invite' && ActDialog && (
        <ActDialog member={open.member} onClose={close} onDone={done} />
      )}
    </>
  );
}
