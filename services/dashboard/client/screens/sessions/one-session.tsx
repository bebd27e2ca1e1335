/** One session: what it was, and its events one after the other. */
import { useAddress } from '../../address.ts';
import { useRead } from '../../api/use-read.ts';
import { listingQuestion } from '../../drill/listing.ts';
import { ListingTable } from '../../drill/listing-table.tsx';
import { RowFacts } from '../../drill/row-facts.tsx';
import { drillTexts } from '../../drill/texts.ts';
import { useListing } from '../../drill/use-listing.ts';
import { answerOf, type QueryBatch } from '../../website/batch.ts';
import { eventName } from '../../website/formats.ts';
import { queryRequest } from '../../website/scene.ts';
import type { SceneView } from '../../website/use-scene.ts';
import { sceneAddress } from '../../website/website-links.ts';
import { useWebsiteOfPath, WebsiteScreen } from '../../website/website-screen.tsx';
import { oneSession, SESSIONS, timelineOf } from './listings.ts';
import { VisitorLink } from './session-link.tsx';
import { sessionsTexts } from './texts.ts';

export function OneSession({ sessionId, scene }: { sessionId: string; scene: SceneView }) {
  const t = sessionsTexts.value;
  const { parameters } = useAddress();
  const listing = timelineOf(sessionId);
  const view = useListing(listing);
  // The timeline shows the whole session, whatever events the filters keep.
  const whole = { ...scene, filters: [], comparison: undefined };
  const read = useRead<QueryBatch>(
    queryRequest(scene, [oneSession(scene, sessionId), listingQuestion(whole, listing, view)]),
  );
  const row = answerOf(read.data, 'sessions', 'session')?.data[0];
  const titles: Readonly<Record<string, string>> = { ...drillTexts.value.columns, ...t.columns };
  return (
    <WebsiteScreen
      scene={scene}
      read={read}
      of={useWebsiteOfPath(read.fault)}
      title={t.one}
      lead={<a href={sceneAddress(scene.websiteId, 'sessions', parameters)}>{t.all}</a>}
      hasNoComparison
    >
      {row && (
        <section class="card">
          <RowFacts
            row={row}
            columns={SESSIONS.columns}
            titles={titles}
            cells={{
              visitor_id: (each, text) => <VisitorLink websiteId={scene.websiteId} row={each} text={text} />,
            }}
          />
        </section>
      )}
      <ListingTable
        title={t.timeline}
        definition={t.timelineDefinition}
        titles={titles}
        listing={listing}
        view={view}
        scene={{ ...scene, ...whole }}
        read={read}
        nothing={t.noEvents}
        cells={{
          event_name: (_, text) => <bdi>{eventName(text)}</bdi>,
        }}
      />
    </WebsiteScreen>
  );
}
