/** One link: its short address, its clicks, and for those who may write its settings and its end. */
import { useRef, useState } from 'preact/hooks';
import { HOME, useAddress, usePathPart } from '../../address.ts';
import { asMissing } from '../../api/fault.ts';
import { may } from '../../api/session.ts';
import { type Read, useRead } from '../../api/use-read.ts';
import type { LinkView } from '../../api/wire.ts';
import { Button } from '../../design/button.tsx';
import { Copy } from '../../design/copy.tsx';
import { Icon } from '../../design/icon.tsx';
import { Notice } from '../../design/notice.tsx';
import { PageHead } from '../../design/page-head.tsx';
import { Tabs } from '../../design/tabs.tsx';
import { FaultNotice } from '../../states/fault-notice.tsx';
import { Forbidden } from '../../states/forbidden.tsx';
import { Loaded } from '../../states/loaded.tsx';
import { formatInstant } from '../../texts/format.ts';
import type { QueryBatch } from '../../website/batch.ts';
import { type SceneView, useScene } from '../../website/use-scene.ts';
import { DeleteLink } from './delete-link.tsx';
import { knownLink, type LinkAnswer } from './known-link.ts';
import { LinkClicks } from './link-clicks.tsx';
import { LinkFacts, StateBadge, shortAddress } from './link-facts.tsx';
import { LinkSettings } from './link-settings.tsx';
import { stateOf } from './link-state.ts';
import { QrDialog } from './qr-dialog.tsx';
import { clicksRequest, type LinkScene, pathOf } from './questions.ts';
import { linkTexts } from './texts.ts';

const VIEWS = ['clicks', 'settings'] as const;

export function OneLink() {
  const id = usePathPart('id');
  return may('read:links') ? <One key={id} id={id} /> : <Forbidden title={linkTexts.value.title} />;
}

function One({ id }: { id: string }) {
  const t = linkTexts.value;
  const { parameters, change } = useAddress();
  const mayWrite = may('write:links');
  const shown = mayWrite && parameters.tab === 'settings' ? 'settings' : 'clicks';
  // Range and buckets stand in the address as those of an overview do; no website belongs to them.
  const view = useScene('');
  const scene = { linkId: id, timezone: view.timezone, range: view.range, granularity: view.granularity };
  const clicks = useRead<QueryBatch>(shown === 'clicks' ? clicksRequest(scene) : null);
  const [known] = useState(() => knownLink(id));
  // What a list told of it has no version to change, and it may be gone since.
  const isDoubtful = useRef(known === undefined);
  if (shown === 'settings' || clicks.fault?.code === 'ACCESS_DENIED') isDoubtful.current = true;
  const read = useRead<LinkAnswer>(isDoubtful.current ? { path: pathOf(id) } : null, {
    isKept: shown === 'clicks' && known === undefined,
  });
  const link = read.data?.data ?? known;
  if (read.fault?.kind === 'missing' || read.fault?.kind === 'forbidden') {
    return (
      <>
        <WayBack />
        <PageHead title={t.title} />
        <FaultNotice fault={asMissing(read.fault)} />
      </>
    );
  }
  const content =
    shown === 'clicks' ? (
      <Clicks link={link} read={read} clicks={clicks} scene={scene} view={view} />
    ) : (
      <Loaded read={read} lines={16}>
        {({ data }) => (
          <>
            <LinkSettings link={data} read={read} />
            <DeleteLink link={data} read={read} />
          </>
        )}
      </Loaded>
    );
  return (
    <>
      <WayBack />
      <PageHead title={link?.name ?? t.title} lead={link && <StateBadge of={link} />} />
      {link && <Address link={link} />}
      {mayWrite ? (
        <Tabs
          label={t.tabs}
          tabs={VIEWS.map((key) => ({ key, text: t.views[key] }))}
          chosen={shown}
          onChoose={(key) => change({ tab: key === 'clicks' ? undefined : key })}
        >
          {content}
        </Tabs>
      ) : (
        content
      )}
    </>
  );
}

function WayBack() {
  return (
    <p class="screen-only">
      <a class="way-back" href={`${HOME}/links`}>
        <Icon name="arrow-left" />
        {linkTexts.value.title}
      </a>
    </p>
  );
}

function Address({ link }: { link: LinkView }) {
  const t = linkTexts.value;
  const [isOpen, setOpen] = useState(false);
  const state = stateOf(link, Date.now());
  const ended = formatInstant(link.expiresAt ?? 0);
  return (
    <>
      {state === 'ended' && <Notice kind="warn">{t.isEnded(ended)}</Notice>}
      {state === 'moved' && <Notice kind="warn">{t.isMoved(ended)}</Notice>}
      <div class="row">
        <Copy text={shortAddress(link.slug)} label={t.address} />
        <Button icon="qr-code" onClick={() => setOpen(true)}>
          {t.qr}
        </Button>
      </div>
      {isOpen && <QrDialog link={link} onClose={() => setOpen(false)} />}
    </>
  );
}

interface ClicksProps {
  readonly link: LinkView | undefined;
  readonly read: Read<LinkAnswer>;
  readonly clicks: Read<QueryBatch>;
  readonly scene: LinkScene;
  readonly view: SceneView;
}

function Clicks({ link, read, clicks, scene, view }: ClicksProps) {
  return (
    <>
      {read.fault && <FaultNotice fault={read.fault} repeatsAt={read.repeatsAt} again={read.again} />}
      <LinkClicks read={clicks} scene={scene} view={view} />
      {link && <LinkFacts of={link} />}
    </>
  );
}
