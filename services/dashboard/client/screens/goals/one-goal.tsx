/** One goal: its totals, its conversions and revenue over time, and the same by a dimension. */
import { useState } from 'preact/hooks';
import { useAddress } from '../../address.ts';
import { may } from '../../api/session.ts';
import { useRead } from '../../api/use-read.ts';
import type { GoalView } from '../../api/wire.ts';
import { dimensionText } from '../../drill/filter-text.ts';
import { listingQuestion } from '../../drill/listing.ts';
import { type DrawCell, ListingTable } from '../../drill/listing-table.tsx';
import { OverTime } from '../../drill/over-time.tsx';
import { drillTexts } from '../../drill/texts.ts';
import { Totals } from '../../drill/totals.tsx';
import { useListing } from '../../drill/use-listing.ts';
import { FaultNotice } from '../../states/fault-notice.tsx';
import { Skeleton } from '../../states/skeleton.tsx';
import { texts } from '../../texts/texts.ts';
import type { QueryBatch } from '../../website/batch.ts';
import { queryRequest } from '../../website/scene.ts';
import { useScene } from '../../website/use-scene.ts';
import { sceneAddress } from '../../website/website-links.ts';
import { useWebsiteOfPath, WebsiteScreen } from '../../website/website-screen.tsx';
import type { Act } from '../paths/definition-acts.tsx';
import { DefinitionHead } from '../paths/definition-head.tsx';
import { GroupChoice } from '../paths/group-choice.tsx';
import { behindGroup, groupOf } from '../paths/groups.ts';
import { matchText } from '../paths/match-text.ts';
import { behindMatch } from '../paths/sessions-behind.ts';
import { SessionsLink } from '../paths/sessions-link.tsx';
import { pathsTexts } from '../paths/texts.ts';
import { useDefinition } from '../paths/use-definition.ts';
import { GoalActs } from './goal-acts.tsx';
import {
  groupListing,
  revenueOf,
  revenueQuestion,
  seriesOf,
  seriesQuestion,
  totalsOf,
  totalsQuestion,
} from './model.ts';
import { goalTexts } from './texts.ts';

/** A goal to describe the list by before the goal is known. */
const UNKNOWN = { id: '', revenueProperty: null } as GoalView;

export function OneGoal({ websiteId, goalId }: { websiteId: string; goalId: string }) {
  const [t, { goal: g }] = [goalTexts.value, pathsTexts.value];
  const scene = useScene(websiteId);
  const { parameters, go } = useAddress();
  const { definition, read: asked } = useDefinition('goals', goalId);
  const [changed, setChanged] = useState<GoalView>();
  const [open, setOpen] = useState<Act | null>(null);
  const goal = changed ?? definition;
  const all = sceneAddress(websiteId, 'goals', parameters);
  const group = groupOf(parameters.group);
  // The API compares no groups.
  const uncompared = { ...scene, comparison: undefined };
  const listing = groupListing(goal ?? UNKNOWN, group);
  const view = useListing(listing);
  const totals = totalsQuestion(scene, goal ?? UNKNOWN);
  const series = goal && seriesOf(goal);
  const conversions = goal && series && seriesQuestion(scene, goal, series.dataset);
  const revenue = goal && goal.revenueProperty !== null ? revenueQuestion(scene, goal) : undefined;
  const read = useRead<QueryBatch>(
    goal
      ? queryRequest(scene, [
          totals,
          ...(conversions ? [conversions] : []),
          ...(revenue ? [revenue] : []),
          listingQuestion(uncompared, listing, view),
        ])
      : null,
  );
  const titles: Readonly<Record<string, string>> = {
    ...drillTexts.value.columns,
    ...g.columns,
    orders: t.orders,
    [group.column.key]: dimensionText(group.dimension),
  };
  const cells: Readonly<Record<string, DrawCell>> = goal
    ? {
        visitors: (row, text) => (
          <SessionsLink
            scene={scene}
            parts={[behindMatch(goal, 'session'), behindGroup(row, group, 'session')]}
            what={goal.name}
          >
            {text}
          </SessionsLink>
        ),
      }
    : {};
  return (
    <WebsiteScreen
      scene={scene}
      read={read}
      of={useWebsiteOfPath(read.fault ?? asked.fault)}
      title={goal?.name ?? texts.value.website.screens.goals}
      lead={
        <>
          <a href={all}>{t.all}</a>
          {goal && (
            <SessionsLink scene={scene} parts={[behindMatch(goal, 'session')]} what={goal.name}>
              {t.sessions}
            </SessionsLink>
          )}
        </>
      }
    >
      <GoalActs
        websiteId={websiteId}
        open={open}
        onClose={() => setOpen(null)}
        onDone={(now) => {
          if (now === null) return go(all);
          setChanged(now);
          read.again();
        }}
      />
      {asked.fault && <FaultNotice fault={asked.fault} repeatsAt={asked.repeatsAt} again={asked.again} />}
      {goal === undefined && asked.fault === undefined && <Skeleton lines={4} />}
      {goal && (
        <>
          <DefinitionHead
            name={goal.name}
            text={matchText(goal)}
            onAct={
              may('manage:websites') ? (act) => setOpen({ act, id: goal.id, name: goal.name }) : undefined
            }
          />
          <Totals
            question={totals}
            totals={totalsOf(goal)}
            titles={titles}
            definitions={{ ...g.definitions, ...t.definitions }}
            read={read}
          />
          {series && conversions && (
            <OverTime
              question={conversions}
              series={series}
              titles={{ [series.columns[0].key]: g.columns.conversions }}
              scene={scene}
              read={read}
            />
          )}
          {series === undefined && <p class="card soft">{t.noSeries}</p>}
          {revenue && (
            <OverTime question={revenue} series={revenueOf(goal)} titles={titles} scene={scene} read={read} />
          )}
          <ListingTable
            title={pathsTexts.value.groups(dimensionText(group.dimension))}
            definition={t.groupsDefinition}
            titles={titles}
            listing={listing}
            view={view}
            scene={uncompared}
            read={read}
            cells={cells}
          >
            <GroupChoice group={group} />
          </ListingTable>
        </>
      )}
    </WebsiteScreen>
  );
}
