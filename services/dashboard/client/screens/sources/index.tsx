/** Where sessions of a website come from: channels, sources, hosts, campaigns and entry pages, with what they reached of a goal. */
import { useAddress, usePathPart } from '../../address.ts';
import { useRead } from '../../api/use-read.ts';
import { Field } from '../../design/field.tsx';
import { Tabs } from '../../design/tabs.tsx';
import { listingQuestion } from '../../drill/listing.ts';
import { ListingTable } from '../../drill/listing-table.tsx';
import { drillTexts } from '../../drill/texts.ts';
import { Totals } from '../../drill/totals.tsx';
import { useListing } from '../../drill/use-listing.ts';
import { useTab } from '../../drill/use-tab.ts';
import { texts } from '../../texts/texts.ts';
import { answerOf, type QueryBatch, textOf } from '../../website/batch.ts';
import { queryRequest } from '../../website/scene.ts';
import { useScene } from '../../website/use-scene.ts';
import { useWebsiteOfPath, WebsiteScreen } from '../../website/website-screen.tsx';
import { ChoiceButton } from '../paths/choice-button.tsx';
import { inCurrency } from '../paths/in-currency.ts';
import { pathsTexts } from '../paths/texts.ts';
import { CAMPAIGN_PARTS, sourceListing, TABS, totalsOf, totalsQuestion } from './listings.ts';
import { sourcesTexts } from './texts.ts';

export function Sources() {
  const [t, { goal: g }] = [sourcesTexts.value, pathsTexts.value];
  const { screens } = texts.value.website;
  const { parameters, change } = useAddress();
  const websiteId = usePathPart('websiteId');
  const scene = useScene(websiteId);
  const [tab, showTab] = useTab(TABS);
  const part = CAMPAIGN_PARTS.find((each) => each === parameters.utm) ?? CAMPAIGN_PARTS[0];
  const { goalId } = parameters;
  const listing = sourceListing(tab, part, goalId);
  const view = useListing(listing);
  const totals = totalsQuestion(scene, goalId);
  const read = useRead<QueryBatch>(queryRequest(scene, [totals, listingQuestion(scene, listing, view)]));
  const [goal] = answerOf(read.data, 'goals')?.data ?? [];
  const isOfGoal = goal !== undefined && textOf(goal, 'goal_id') === goalId;
  const currency = isOfGoal ? textOf(goal, 'currency') : '';
  return (
    <WebsiteScreen
      scene={scene}
      read={read}
      of={useWebsiteOfPath(read.fault)}
      title={screens.sources}
      lead={
        <ChoiceButton
          label={t.goal}
          websiteId={websiteId}
          choice={goalId ? { goalId } : undefined}
          words={goalId ? (isOfGoal ? textOf(goal, 'name') : '…') : ''}
          none={t.noGoal}
          isOfGoals
          onChoose={(next) => {
            const chosen = next && 'goalId' in next ? next.goalId : undefined;
            change({ goalId: chosen, sort: undefined, page: undefined });
          }}
        />
      }
    >
      <Totals
        question={totals}
        totals={inCurrency(totalsOf(goalId), currency)}
        titles={g.columns}
        definitions={g.definitions}
        read={read}
      />
      <Tabs
        label={screens.sources}
        chosen={tab}
        tabs={TABS.map((key) => ({ key, text: t.tabs[key] }))}
        onChoose={showTab}
      >
        <ListingTable
          key={tab}
          title={tab === 'campaigns' ? `utm_${part}` : t.tabs[tab]}
          definition={t.lists[tab]}
          titles={{ ...drillTexts.value.columns, ...g.columns, name: t.names[tab] }}
          listing={{ ...listing, columns: inCurrency(listing.columns, currency) as typeof listing.columns }}
          view={view}
          scene={scene}
          read={read}
        >
          {tab === 'campaigns' && (
            <Field
              label={t.part}
              value={part}
              onInput={(next) =>
                change({ utm: next === CAMPAIGN_PARTS[0] ? undefined : next, page: undefined }, true)
              }
              options={CAMPAIGN_PARTS.map((value) => ({ value, text: `utm_${value}` }))}
            />
          )}
        </ListingTable>
      </Tabs>
    </WebsiteScreen>
  );
}
