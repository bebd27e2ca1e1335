/** The pages of a website: how often they were opened, which sessions enter and leave by them, and how long they are looked at. */
import { usePathPart } from '../../address.ts';
import { useRead } from '../../api/use-read.ts';
import { Tabs } from '../../design/tabs.tsx';
import { listingQuestion } from '../../drill/listing.ts';
import { type DrawCell, ListingTable } from '../../drill/listing-table.tsx';
import { drillTexts } from '../../drill/texts.ts';
import { Totals } from '../../drill/totals.tsx';
import { useListing } from '../../drill/use-listing.ts';
import { useTab } from '../../drill/use-tab.ts';
import { texts } from '../../texts/texts.ts';
import { type QueryBatch, textOf } from '../../website/batch.ts';
import { queryRequest } from '../../website/scene.ts';
import { useScene } from '../../website/use-scene.ts';
import { useWebsiteOfPath, WebsiteScreen } from '../../website/website-screen.tsx';
import { LISTINGS, TABS, TOTALS, totalsQuestion } from './listings.ts';
import { pagesTexts } from './texts.ts';

/** The path, and the latest title below it. */
const CELLS: Readonly<Record<string, DrawCell>> = {
  path: (row, _text, usual) => (
    <>
      {usual}
      <span class="title small soft">
        <bdi>{textOf(row, 'title')}</bdi>
      </span>
    </>
  ),
};

export function Pages() {
  const t = pagesTexts.value;
  const { screens } = texts.value.website;
  const scene = useScene(usePathPart('websiteId'));
  const [tab, showTab] = useTab(TABS);
  const listing = LISTINGS[tab];
  const view = useListing(listing);
  const totals = totalsQuestion(scene);
  const read = useRead<QueryBatch>(queryRequest(scene, [totals, listingQuestion(scene, listing, view)]));
  const titles = drillTexts.value.columns;
  return (
    <WebsiteScreen scene={scene} read={read} of={useWebsiteOfPath(read.fault)} title={screens.pages}>
      <Totals question={totals} totals={TOTALS} definitions={t.totals} read={read} />
      <Tabs
        label={screens.pages}
        chosen={tab}
        tabs={TABS.map((key) => ({ key, text: t.tabs[key] }))}
        onChoose={showTab}
      >
        <ListingTable
          key={tab}
          title={t.tabs[tab]}
          definition={t.lists[tab]}
          titles={tab === 'exit' ? { ...titles, pageviews: t.exits } : titles}
          listing={listing}
          view={view}
          scene={scene}
          read={read}
          cells={CELLS}
        />
      </Tabs>
    </WebsiteScreen>
  );
}
