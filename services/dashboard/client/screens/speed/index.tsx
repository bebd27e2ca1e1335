/** How fast pages of a website are for those who visit it: web vitals, one of them over time and by what it depends on, and load times. */
import { useAddress, usePathPart } from '../../address.ts';
import { useRead } from '../../api/use-read.ts';
import { Tabs } from '../../design/tabs.tsx';
import { listingQuestion } from '../../drill/listing.ts';
import { type DrawCell, ListingTable } from '../../drill/listing-table.tsx';
import { numberIn } from '../../drill/number-in.ts';
import { OverTime } from '../../drill/over-time.tsx';
import { drillTexts } from '../../drill/texts.ts';
import { useListing } from '../../drill/use-listing.ts';
import { useTab } from '../../drill/use-tab.ts';
import { texts } from '../../texts/texts.ts';
import type { QueryBatch } from '../../website/batch.ts';
import { queryRequest } from '../../website/scene.ts';
import { useScene } from '../../website/use-scene.ts';
import { useWebsiteOfPath, WebsiteScreen } from '../../website/website-screen.tsx';
import { seriesOf, seriesQuestion, speedListing, TABS, vitalsQuestion } from './listings.ts';
import { speedTexts } from './texts.ts';
import { RatingBadge, VitalCards } from './vital-cards.tsx';
import { ratingOf, VITALS, vitalOf } from './vitals.ts';

export function Speed() {
  const t = speedTexts.value;
  const { screens } = texts.value.website;
  const { parameters, change } = useAddress();
  const scene = useScene(usePathPart('websiteId'));
  const vital = vitalOf(parameters.vital);
  const [tab, showTab] = useTab(TABS);
  const listing = speedListing(tab, vital);
  const view = useListing(listing);
  const vitals = vitalsQuestion(scene);
  const series = seriesQuestion(scene, vital);
  const read = useRead<QueryBatch>(
    queryRequest(scene, [vitals, series, listingQuestion(scene, listing, view)]),
  );
  const drawn = t.atP75(vital.name);
  const p75 = vital.kind === 'milliseconds' ? t.inMilliseconds(drawn) : drawn;
  const cells: Readonly<Record<string, DrawCell>> = {
    p75: (row, text) => {
      const value = numberIn(row, 'p75', 'samples');
      return value === null ? (
        '–'
      ) : (
        <span>
          {text} <RatingBadge rating={ratingOf(vital, value)} />
        </span>
      );
    },
  };
  return (
    <WebsiteScreen scene={scene} read={read} of={useWebsiteOfPath(read.fault)} title={screens.speed}>
      <VitalCards
        chosen={vital}
        onChoose={({ name }) => change({ vital: name === VITALS[0].name ? undefined : name }, true)}
        read={read}
        id={vitals.id}
      />
      <OverTime
        question={series}
        series={seriesOf(vital)}
        titles={{ ...t.columns, p75 }}
        scene={scene}
        read={read}
      />
      <Tabs
        label={screens.speed}
        chosen={tab}
        tabs={TABS.map((key) => ({ key, text: t.tabs[key] }))}
        onChoose={showTab}
      >
        <ListingTable
          key={tab}
          title={t.by[tab](vital.name)}
          definition={t.lists[tab]}
          titles={{ ...drillTexts.value.columns, ...t.columns }}
          listing={listing}
          view={view}
          scene={scene}
          read={read}
          cells={cells}
        />
      </Tabs>
    </WebsiteScreen>
  );
}
