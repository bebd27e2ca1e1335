/** The shares of a website: what each shows to whom, its link, and making, changing and revoking it. */
import { useState } from 'preact/hooks';
import { HOME, useAddress, usePathPart } from '../../address.ts';
import { call } from '../../api/call.ts';
import { asMissing } from '../../api/fault.ts';
import { may } from '../../api/session.ts';
import { useRead } from '../../api/use-read.ts';
import { knownWebsite } from '../../api/websites.ts';
import type { ShareView } from '../../api/wire.ts';
import { Button } from '../../design/button.tsx';
import { PageHead } from '../../design/page-head.tsx';
import { Pager } from '../../design/pager.tsx';
import { SearchField } from '../../design/search-field.tsx';
import { ExportActs } from '../../exports/export-acts.tsx';
import { type Page, wholeList } from '../../exports/whole-list.ts';
import { Empty } from '../../states/empty.tsx';
import { Loaded } from '../../states/loaded.tsx';
import { PlainQuestion } from '../../states/plain-question.tsx';
import { Said } from '../../states/said.tsx';
import { LinkDialog } from './link-dialog.tsx';
import { ShareDialog } from './share-dialog.tsx';
import { type Act, ShareTable } from './share-table.tsx';
import { sharingTexts } from './texts.ts';

const PAGE = 50;
/** The most that the API answers at once, for a file. */
const LARGEST_PAGE = 100;
/** So many are seen at a glance: nobody searches them. */
const FEW = 5;
/** Of the file, by their names in the API; the token, which opens the share, is none of them. */
const HEADER = [
  ...['id', 'name', 'view', 'datasets', 'hasPassword', 'expiresAt', 'origins', 'createdBy', 'createdAt'],
];
const cellsOf = (share: ShareView) =>
  HEADER.map((name) => {
    const value = share[name as keyof ShareView];
    return Array.isArray(value) ? value.join(' ') : typeof value === 'boolean' ? `${value}` : value;
  }) as (string | null)[];

type Open = { readonly act: Act; readonly share: ShareView } | 'new' | null;

export function Sharing() {
  const websiteId = usePathPart('websiteId');
  return <Shares key={websiteId} websiteId={websiteId} />;
}

function Shares({ websiteId }: { websiteId: string }) {
  const t = sharingTexts.value;
  const { parameters } = useAddress();
  const { search, cursor } = parameters;
  const sort = parameters.sort === 'name' || parameters.sort === '-name' ? parameters.sort : '-createdAt';
  // Its name is no reason to ask for anything.
  const [known] = useState(() => knownWebsite(websiteId));
  const query = { website_id: websiteId, limit: PAGE, sort, search: search || undefined, cursor };
  const read = useRead<Page<ShareView>>({ path: '/v1/shares', query });
  const isLong = Boolean(search || cursor || read.data?.nextCursor) || (read.data?.data.length ?? 0) > FEW;
  const [open, setOpen] = useState<Open>(null);
  const [said, say] = useState('');
  const close = () => setOpen(null);
  const begin = (next: Open) => {
    say('');
    setOpen(next);
  };
  /** Something is another now; a share that was just made shows its link. */
  function done(sentence: string, made?: ShareView): void {
    setOpen(made ? { act: 'link', share: made } : null);
    say(sentence);
    read.again();
  }
  async function whole() {
    const all = await wholeList((next) =>
      call<Page<ShareView>>({ path: '/v1/shares', query: { ...query, limit: LARGEST_PAGE, cursor: next } }),
    );
    return all.ok ? { ...all, rows: all.rows.map(cellsOf) } : all;
  }
  return (
    <>
      <PageHead title={known ? t.title(known.name) : t.list} lead={t.lead}>
        <Button icon="arrow-left" href={`${HOME}/websites/${encodeURIComponent(websiteId)}`}>
          {t.back}
        </Button>
        {may('manage:websites') && (
          <Button kind="primary" icon="plus" onClick={() => begin('new')}>
            {t.make}
          </Button>
        )}
      </PageHead>
      <Said text={said} />
      <section class="card stack">
        {isLong && (
          <div class="filters screen-only">
            <SearchField label={t.search} />
          </div>
        )}
        <Loaded read={{ ...read, fault: asMissing(read.fault) }} lines={6}>
          {({ data, nextCursor }) => (
            <>
              {data.length === 0 ? (
                <Empty level={2} title={search ? t.noneFound : t.none}>
                  <p>{t.noneHint}</p>
                </Empty>
              ) : (
                <>
                  <ShareTable shares={data} sort={sort} onAct={(act, share) => begin({ act, share })} />
                  <ExportActs
                    title={t.list}
                    file="shares"
                    header={HEADER}
                    rows={data.map(cellsOf)}
                    whole={cursor || nextCursor ? whole : undefined}
                    request={{ path: '/v1/shares', query }}
                  />
                </>
              )}
              <Pager nextCursor={nextCursor} />
            </>
          )}
        </Loaded>
      </section>
      {open === 'new' && <ShareDialog websiteId={websiteId} share={null} onClose={close} onDone={done} />}
      {open !== null && open !== 'new' && open.act === 'change' && (
        <ShareDialog websiteId={websiteId} share={open.share} onClose={close} onDone={done} />
      )}
      {open !== null && open !== 'new' && open.act === 'revoke' && (
        <PlainQuestion
          title={t.revokeTitle}
          name={open.share.name}
          hint={t.revokeHint}
          submit={t.revoke}
          request={{ method: 'DELETE', path: `/v1/shares/${encodeURIComponent(open.share.id)}` }}
          onClose={close}
          onDone={() => done(t.revoked(open.share.name))}
        />
      )}
      {open !== null && open !== 'new' && open.act === 'link' && (
        <LinkDialog share={open.share} onClose={close} />
      )}
    </>
  );
}
