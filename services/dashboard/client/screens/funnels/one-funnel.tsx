/** One funnel: how many get to each step and how long it takes them, the same over time and by a dimension. */
import { useState } from 'preact/hooks';
import { useAddress } from '../../address.ts';
import { may } from '../../api/session.ts';
import { useRead } from '../../api/use-read.ts';
import type { FunnelView } from '../../api/wire.ts';
import { Field } from '../../design/field.tsx';
import { listingQuestion } from '../../drill/listing.ts';
import { ListingTable } from '../../drill/listing-table.tsx';
import { OverTime } from '../../drill/over-time.tsx';
import { useListing } from '../../drill/use-listing.ts';
import { FaultNotice } from '../../states/fault-notice.tsx';
import { texts } from '../../texts/texts.ts';
import type { QueryBatch } from '../../website/batch.ts';
import { queryRequest } from '../../website/scene.ts';
import { useScene } from '../../website/use-scene.ts';
import { sceneAddress } from '../../website/website-links.ts';
import { useWebsiteOfPath, WebsiteScreen } from '../../website/website-screen.tsx';
import type { Act } from '../paths/definition-acts.tsx';
import { DefinitionHead } from '../paths/definition-head.tsx';
import { groupOf } from '../paths/groups.ts';
import { useDefinition } from '../paths/use-definition.ts';
import { FunnelActs } from './funnel-acts.tsx';
import { GroupTable } from './group-table.tsx';
import { groupsQuestion, MEASURE_KEYS, seriesOf, seriesQuestion, stepsListing } from './model.ts';
import { stepCells } from './step-cells.tsx';
import { rulesText } from './step-text.ts';
import { funnelTexts } from './texts.ts';

export function OneFunnel({ websiteId, funnelId }: { websiteId: string; funnelId: string }) {
  const t = funnelTexts.value;
  const scene = useScene(websiteId);
  const { parameters, change, go } = useAddress();
  const { definition, read: asked } = useDefinition('funnels', funnelId);
  const [changed, setChanged] = useState<FunnelView>();
  const [open, setOpen] = useState<Act | null>(null);
  const funnel = changed ?? definition;
  const group = groupOf(parameters.group);
  const listing = stepsListing(funnelId);
  const view = useListing(listing, 'steps-');
  const steps = listingQuestion(scene, listing, view);
  const series = seriesOf(parameters.measure);
  const overTime = seriesQuestion(scene, funnelId);
  const groups = groupsQuestion(scene, funnelId, group);
  const read = useRead<QueryBatch>(queryRequest(scene, [steps, overTime, groups]));
  const all = sceneAddress(websiteId, 'funnels', parameters);
  const titles: Readonly<Record<string, string>> = t.series;
  return (
    <WebsiteScreen
      scene={scene}
      read={read}
      of={useWebsiteOfPath(read.fault ?? asked.fault)}
      title={funnel?.name ?? texts.value.website.screens.funnels}
      lead={<a href={all}>{t.all}</a>}
    >
      <FunnelActs
        websiteId={websiteId}
        open={open}
        onClose={() => setOpen(null)}
        onDone={(now) => {
          if (now === null) return go(all);
          setChanged(now);
          read.again();
        }}
      />
      {asked.fault ? (
        <FaultNotice fault={asked.fault} repeatsAt={asked.repeatsAt} again={asked.again} />
      ) : (
        <>
          {funnel && (
            <DefinitionHead
              name={funnel.name}
              text={rulesText(funnel)}
              onAct={
                may('manage:websites')
                  ? (act) => setOpen({ act, id: funnel.id, name: funnel.name })
                  : undefined
              }
            />
          )}
          <ListingTable
            title={t.steps}
            definition={t.definition}
            titles={{ ...t.columns, step: t.steps }}
            listing={listing}
            view={view}
            scene={scene}
            read={read}
            cells={stepCells(funnel, scene)}
          />
          <OverTime question={overTime} series={series} titles={titles} scene={scene} read={read}>
            <Field
              label={t.line}
              value={series.columns[0].key}
              onInput={(key) => change({ measure: key === MEASURE_KEYS[0] ? undefined : key }, true)}
              options={MEASURE_KEYS.map((value) => ({ value, text: titles[value] ?? value }))}
            />
          </OverTime>
          {funnel && (
            <GroupTable
              key={group.column.key}
              funnel={funnel}
              group={group}
              question={groups}
              scene={scene}
              read={read}
            />
          )}
        </>
      )}
    </WebsiteScreen>
  );
}
