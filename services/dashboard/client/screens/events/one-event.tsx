/** One custom event: its line, the pages on which it happened, what it carried, and when it happened last. */
import { useAddress, usePathPart } from '../../address.ts';
import { useRead } from '../../api/use-read.ts';
import { Button } from '../../design/button.tsx';
import { listingQuestion } from '../../drill/listing.ts';
import { type DrawCell, ListingTable } from '../../drill/listing-table.tsx';
import { LongText } from '../../drill/long-text.tsx';
import { OverTime } from '../../drill/over-time.tsx';
import { drillTexts } from '../../drill/texts.ts';
import { Totals } from '../../drill/totals.tsx';
import { useListing } from '../../drill/use-listing.ts';
import type { QueryBatch } from '../../website/batch.ts';
import { queryRequest } from '../../website/scene.ts';
import { rowFilter } from '../../website/scene-filters.ts';
import { useScene } from '../../website/use-scene.ts';
import { sceneAddress } from '../../website/website-links.ts';
import { useWebsiteOfPath, WebsiteScreen } from '../../website/website-screen.tsx';
import { openedListings, SERIES, seriesQuestion, TOTALS, totalsQuestion } from './listings.ts';
import { eventsTexts } from './texts.ts';

const CELLS: Readonly<Record<string, DrawCell>> = {
  properties: (_row, text) => (text === '' ? '–' : <LongText text={text} />),
};

export function OneEvent({ name }: { name: string }) {
  const t = eventsTexts.value;
  const { parameters } = useAddress();
  const websiteId = usePathPart('websiteId');
  const scene = useScene(websiteId);
  const { paths, properties, latest } = openedListings(name);
  const views = {
    properties: useListing(properties),
    paths: useListing(paths, 'paths-'),
    latest: useListing(latest, 'latest-'),
  };
  const totals = totalsQuestion(scene, name);
  const series = seriesQuestion(scene, name);
  const read = useRead<QueryBatch>(
    queryRequest(scene, [
      totals,
      series,
      listingQuestion(scene, properties, views.properties),
      listingQuestion(scene, paths, views.paths),
      listingQuestion(scene, latest, views.latest),
    ]),
  );
  const shared = { titles: { ...drillTexts.value.columns, ...t.columns }, scene, read };
  return (
    <WebsiteScreen
      scene={scene}
      read={read}
      of={useWebsiteOfPath(read.fault)}
      title={t.opened(name)}
      lead={
        <>
          <a href={sceneAddress(websiteId, 'events', parameters)}>{t.back}</a>
          <Button kind="plain" icon="plus" onClick={() => scene.addFilters([rowFilter('event', name)])}>
            {t.only}
          </Button>
        </>
      }
    >
      <Totals question={totals} totals={TOTALS} titles={t.columns} definitions={t.definitions} read={read} />
      <OverTime question={series} series={SERIES} {...shared} />
      <ListingTable
        title={t.properties}
        definition={t.lists.properties}
        listing={properties}
        view={views.properties}
        {...shared}
      />
      <ListingTable
        title={t.paths}
        definition={t.lists.paths}
        listing={paths}
        view={views.paths}
        {...shared}
      />
      <ListingTable
        title={t.latest}
        definition={t.lists.latest}
        listing={latest}
        view={views.latest}
        cells={CELLS}
        {...shared}
      />
    </WebsiteScreen>
  );
}
