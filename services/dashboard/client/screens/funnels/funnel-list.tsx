/** All funnels of a website: found, opened, made, changed and deleted. */
import { useState } from 'preact/hooks';
import { useAddress } from '../../address.ts';
import { asMissing } from '../../api/fault.ts';
import { may } from '../../api/session.ts';
import type { FunnelView } from '../../api/wire.ts';
import { Button } from '../../design/button.tsx';
import { SearchField } from '../../design/search-field.tsx';
import type { Column } from '../../design/table.tsx';
import { Empty } from '../../states/empty.tsx';
import { RecordList, useRecords } from '../../states/record-list.tsx';
import { texts } from '../../texts/texts.ts';
import { useScene } from '../../website/use-scene.ts';
import { sceneAddress } from '../../website/website-links.ts';
import { useWebsiteOfPath, WebsiteScreen } from '../../website/website-screen.tsx';
import type { Act } from '../paths/definition-acts.tsx';
import { RowActs } from '../paths/row-acts.tsx';
import { pathsTexts } from '../paths/texts.ts';
import { FunnelActs } from './funnel-acts.tsx';
import { rulesText, stepName } from './step-text.ts';
import { funnelTexts } from './texts.ts';

const PATH = '/v1/funnels';
/** So many are seen at a glance: nobody searches them. */
const FEW = 5;
const FIELDS = ['id', 'name', 'steps', 'ordered', 'windowSeconds', 'exclude'] as const;

export function FunnelList({ websiteId }: { websiteId: string }) {
  const [t, p] = [funnelTexts.value, pathsTexts.value];
  const title = texts.value.website.screens.funnels;
  const scene = useScene(websiteId);
  const { parameters } = useAddress();
  const { read, query } = useRecords<FunnelView>(PATH, ['name'], { website_id: websiteId }, true);
  const [open, setOpen] = useState<Act | null>(null);
  const { data: funnels = [], nextCursor } = read.data ?? { data: [] };
  const mayWrite = may('manage:websites');
  const acts: Column<FunnelView> = {
    key: 'acts',
    title: p.acts,
    cell: ({ id, name }) => <RowActs name={name} onAct={(act) => setOpen({ act, id, name })} />,
  };
  const columns: readonly Column<FunnelView>[] = [
    {
      key: 'name',
      title: texts.value.words.name,
      sort: 'name',
      cell: ({ id, name }) => (
        <a href={sceneAddress(websiteId, 'funnels', parameters, { funnel: id })}>
          <bdi>{name}</bdi>
        </a>
      ),
    },
    {
      key: 'steps',
      title: t.steps,
      cell: (funnel) => (
        <span class="defined">
          <span>
            {funnel.steps.flatMap((step, index) => [
              index > 0 && ' → ',
              <bdi key={index}>{stepName(step)}</bdi>,
            ])}
          </span>
          <bdi class="small soft">{rulesText(funnel)}</bdi>
        </span>
      ),
    },
    ...(mayWrite ? [acts] : []),
  ];
  return (
    <WebsiteScreen
      scene={scene}
      read={{ ...read, fault: undefined }}
      of={useWebsiteOfPath(read.fault)}
      title={title}
      hasNoComparison
    >
      <FunnelActs websiteId={websiteId} open={open} onClose={() => setOpen(null)} onDone={read.again} />
      <section class="card stack">
        <div class="row spread">
          <h2>{title}</h2>
          {mayWrite && (
            <Button kind="primary" icon="plus" onClick={() => setOpen('new')}>
              {t.make}
            </Button>
          )}
        </div>
        {(query.search || query.cursor || nextCursor || funnels.length > FEW) && (
          <SearchField label={p.search} />
        )}
        <RecordList
          read={{ ...read, fault: asMissing(read.fault) }}
          query={query}
          title={title}
          path={PATH}
          file="funnels"
          fields={FIELDS}
          columns={columns}
          empty={
            <Empty title={t.none}>
              <p>{t.noneHint}</p>
              {!mayWrite && <p>{p.noneForViewers}</p>}
            </Empty>
          }
        />
      </section>
    </WebsiteScreen>
  );
}
