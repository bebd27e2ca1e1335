/** All errors of the scene: their totals, their line, and each message with who met it. */
import { useAddress, usePathPart } from '../../address.ts';
import { useRead } from '../../api/use-read.ts';
import { listingQuestion } from '../../drill/listing.ts';
import { type DrawCell, ListingTable } from '../../drill/listing-table.tsx';
import { OverTime } from '../../drill/over-time.tsx';
import { drillTexts } from '../../drill/texts.ts';
import { Totals } from '../../drill/totals.tsx';
import { useListing } from '../../drill/use-listing.ts';
import { texts } from '../../texts/texts.ts';
import { type QueryBatch, textOf } from '../../website/batch.ts';
import { queryRequest } from '../../website/scene.ts';
import { useScene } from '../../website/use-scene.ts';
import { sceneAddress } from '../../website/website-links.ts';
import { useWebsiteOfPath, WebsiteScreen } from '../../website/website-screen.tsx';
import {
  MESSAGES,
  MOST_OF_MESSAGE,
  SERIES,
  seriesQuestion,
  TOTALS_OF_ALL,
  totalsQuestion,
} from './listings.ts';
import { errorsTexts } from './texts.ts';

export function AllErrors() {
  const t = errorsTexts.value;
  const { parameters } = useAddress();
  const websiteId = usePathPart('websiteId');
  const scene = useScene(websiteId);
  const view = useListing(MESSAGES);
  const totals = totalsQuestion(scene);
  const series = seriesQuestion(scene);
  const read = useRead<QueryBatch>(
    queryRequest(scene, [totals, series, listingQuestion(scene, MESSAGES, view)]),
  );
  const shared = { titles: { ...drillTexts.value.columns, ...t.columns, name: t.message }, scene, read };
  const cells: Readonly<Record<string, DrawCell>> = {
    name: (row, text) => {
      const message = textOf(row, 'name').slice(0, MOST_OF_MESSAGE);
      return (
        <a href={sceneAddress(websiteId, 'errors', parameters, { message })}>
          <bdi>{text}</bdi>
        </a>
      );
    },
  };
  return (
    <WebsiteScreen
      scene={scene}
      read={read}
      of={useWebsiteOfPath(read.fault)}
      title={texts.value.website.screens.errors}
    >
      <Totals
        question={totals}
        totals={TOTALS_OF_ALL}
        titles={t.columns}
        definitions={t.definitions}
        read={read}
      />
      <OverTime question={series} series={SERIES} {...shared} />
      <ListingTable
        title={t.messages}
        definition={t.lists.messages}
        listing={MESSAGES}
        view={view}
        cells={cells}
        {...shared}
      />
    </WebsiteScreen>
  );
}
