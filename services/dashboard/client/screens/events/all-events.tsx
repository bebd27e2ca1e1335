/** All custom events by name, with their line; or the links that led out. */
import { useAddress, usePathPart } from '../../address.ts';
import { useRead } from '../../api/use-read.ts';
import { Icon } from '../../design/icon.tsx';
import { Tabs } from '../../design/tabs.tsx';
import { listingQuestion } from '../../drill/listing.ts';
import { type DrawCell, ListingTable } from '../../drill/listing-table.tsx';
import { OverTime } from '../../drill/over-time.tsx';
import { drillTexts } from '../../drill/texts.ts';
import { Totals } from '../../drill/totals.tsx';
import { useListing } from '../../drill/use-listing.ts';
import { useTab } from '../../drill/use-tab.ts';
import { texts } from '../../texts/texts.ts';
import { type QueryBatch, textOf } from '../../website/batch.ts';
import { queryRequest } from '../../website/scene.ts';
import { useScene } from '../../website/use-scene.ts';
import { sceneAddress } from '../../website/website-links.ts';
import { useWebsiteOfPath, WebsiteScreen } from '../../website/website-screen.tsx';
import {
  EVENTS,
  OUTBOUND_HOSTS,
  OUTBOUND_LINKS,
  SERIES,
  seriesQuestion,
  TABS,
  TOTALS_OF_ALL,
  totalsQuestion,
} from './listings.ts';
import { eventsTexts } from './texts.ts';
import { webAddress } from './web-address.ts';

export function AllEvents() {
  const t = eventsTexts.value;
  const { screens } = texts.value.website;
  const { parameters } = useAddress();
  const websiteId = usePathPart('websiteId');
  const scene = useScene(websiteId);
  const [tab, showTab] = useTab(TABS);
  const isOutbound = tab === 'outbound';
  const listing = isOutbound ? OUTBOUND_LINKS : EVENTS;
  const view = useListing(listing);
  const hosts = useListing(OUTBOUND_HOSTS, 'hosts-');
  const totals = totalsQuestion(scene);
  const series = seriesQuestion(scene);
  const list = listingQuestion(scene, listing, view);
  const questions = isOutbound
    ? [list, listingQuestion(scene, OUTBOUND_HOSTS, hosts)]
    : [totals, series, list];
  const read = useRead<QueryBatch>(queryRequest(scene, questions));
  const titles = { ...drillTexts.value.columns, ...t.columns, name: t.event };
  const shared = { titles, scene, read };
  const cells: Readonly<Record<string, DrawCell>> = {
    name: (_row, name) => (
      <a href={sceneAddress(websiteId, 'events', parameters, { event: name })}>
        <bdi>{name}</bdi>
      </a>
    ),
    href: (row, _text, usual) => (
      <>
        {usual} <Visit href={textOf(row, 'href')} />
      </>
    ),
  };
  return (
    <WebsiteScreen scene={scene} read={read} of={useWebsiteOfPath(read.fault)} title={screens.events}>
      <Tabs
        label={screens.events}
        chosen={tab}
        tabs={TABS.map((key) => ({ key, text: t.tabs[key] }))}
        onChoose={showTab}
      >
        {!isOutbound && (
          <>
            <Totals
              question={totals}
              totals={TOTALS_OF_ALL}
              titles={t.columns}
              definitions={t.definitions}
              read={read}
            />
            <OverTime question={series} series={SERIES} {...shared} />
          </>
        )}
        <ListingTable
          key={tab}
          title={t.tabs[tab]}
          definition={t.lists[tab]}
          listing={listing}
          view={view}
          cells={cells}
          {...shared}
        />
        {isOutbound && (
          <ListingTable
            title={t.hosts}
            definition={t.lists.hosts}
            listing={OUTBOUND_HOSTS}
            view={hosts}
            {...shared}
          />
        )}
      </Tabs>
    </WebsiteScreen>
  );
}

/** Leads to the target of a link, as far as that is a page on the web. */
function Visit({ href }: { href: string }) {
  const address = webAddress(href);
  if (address === undefined) return null;
  return (
    <a
      class="visit"
      href={address}
      target="_blank"
      rel="noopener noreferrer"
      aria-label={eventsTexts.value.visit(address)}
    >
      <Icon name="external-link" />
    </a>
  );
}
