/** The errors of one message: when, on which pages and in which browsers they happened, with the stack of each. */
import { useAddress, usePathPart } from '../../address.ts';
import { useRead } from '../../api/use-read.ts';
import { listingQuestion } from '../../drill/listing.ts';
import { type DrawCell, ListingTable } from '../../drill/listing-table.tsx';
import { LongText } from '../../drill/long-text.tsx';
import { OverTime } from '../../drill/over-time.tsx';
import { drillTexts } from '../../drill/texts.ts';
import { Totals } from '../../drill/totals.tsx';
import { useListing } from '../../drill/use-listing.ts';
import { named } from '../../texts/format.ts';
import { texts } from '../../texts/texts.ts';
import { type DatasetRow, type QueryBatch, textOf } from '../../website/batch.ts';
import { queryRequest } from '../../website/scene.ts';
import { filtersText, withFilter } from '../../website/scene-filters.ts';
import { useScene } from '../../website/use-scene.ts';
import { sceneAddress } from '../../website/website-links.ts';
import { useWebsiteOfPath, WebsiteScreen } from '../../website/website-screen.tsx';
import { messageFilter, openedListings, SERIES, seriesQuestion, TOTALS, totalsQuestion } from './listings.ts';
import { errorsTexts } from './texts.ts';

const CELLS: Readonly<Record<string, DrawCell>> = {
  stack: (row, stack) => {
    const where = placeOf(row);
    return (
      <>
        <bdi>{where === '' && stack === '' ? '–' : where}</bdi>
        {stack !== '' && <LongText text={stack} summary={errorsTexts.value.stack} />}
      </>
    );
  },
};

/** File, line and column of the code, as far as they are known. */
function placeOf(row: DatasetRow): string {
  const { lineno, colno } = row;
  const parts = [textOf(row, 'filename'), lineno, colno].filter((part) => part !== null && part !== '');
  return [textOf(row, 'error_type'), parts.join(':')].filter(Boolean).join(' ');
}

export function OneError({ message }: { message: string }) {
  const t = errorsTexts.value;
  const { parameters } = useAddress();
  const websiteId = usePathPart('websiteId');
  const scene = useScene(websiteId);
  const { occurrences, pages } = openedListings(message);
  const views = { occurrences: useListing(occurrences), pages: useListing(pages, 'pages-') };
  const totals = totalsQuestion(scene, message);
  const series = seriesQuestion(scene, message);
  const read = useRead<QueryBatch>(
    queryRequest(scene, [
      totals,
      series,
      listingQuestion(scene, occurrences, views.occurrences),
      listingQuestion(scene, pages, views.pages),
    ]),
  );
  const shared = { titles: { ...drillTexts.value.columns, ...t.columns }, scene, read };
  const filters = filtersText(withFilter(scene.filters, messageFilter(message)));
  return (
    <WebsiteScreen
      scene={scene}
      read={read}
      of={useWebsiteOfPath(read.fault)}
      title={texts.value.website.screens.errors}
      lead={
        <>
          <a href={sceneAddress(websiteId, 'errors', parameters)}>{t.back}</a>
          <a href={sceneAddress(websiteId, 'sessions', parameters, { filters })}>{t.sessions}</a>
        </>
      }
    >
      <section class="card">
        <h2 class="message">
          <bdi>{named(message)}</bdi>
        </h2>
      </section>
      <Totals question={totals} totals={TOTALS} titles={t.columns} definitions={t.definitions} read={read} />
      <OverTime question={series} series={SERIES} {...shared} />
      <ListingTable
        title={t.occurrences}
        definition={t.lists.occurrences}
        listing={occurrences}
        view={views.occurrences}
        cells={CELLS}
        {...shared}
      />
      <ListingTable
        title={t.pages}
        definition={t.lists.pages}
        listing={pages}
        view={views.pages}
        {...shared}
      />
    </WebsiteScreen>
  );
}
