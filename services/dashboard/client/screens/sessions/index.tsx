/** The sessions of a website, and one of them as a timeline. */
import { useAddress, usePathPart } from '../../address.ts';
import { useRead } from '../../api/use-read.ts';
import { listingQuestion } from '../../drill/listing.ts';
import { type DrawCell, ListingTable } from '../../drill/listing-table.tsx';
import { drillTexts } from '../../drill/texts.ts';
import { Totals } from '../../drill/totals.tsx';
import { useListing } from '../../drill/use-listing.ts';
import { texts } from '../../texts/texts.ts';
import type { QueryBatch } from '../../website/batch.ts';
import { queryRequest } from '../../website/scene.ts';
import { type SceneView, useScene } from '../../website/use-scene.ts';
import { useWebsiteOfPath, WebsiteScreen } from '../../website/website-screen.tsx';
import { SESSIONS, TOTALS, totalsQuestion } from './listings.ts';
import { OneSession } from './one-session.tsx';
import { SessionLink, VisitorLink } from './session-link.tsx';
import { sessionsTexts } from './texts.ts';

export function Sessions() {
  const { parameters } = useAddress();
  const scene = useScene(usePathPart('websiteId'));
  const { session } = parameters;
  return session ? (
    <OneSession key={session} sessionId={session} scene={scene} />
  ) : (
    <SessionList scene={scene} />
  );
}

/** Cells of a list of sessions: the start opens the session, the visitor opens the visitor. */
export const sessionCells = (websiteId: string): Readonly<Record<string, DrawCell>> => ({
  first_visit: (row, text) => <SessionLink websiteId={websiteId} row={row} text={text} />,
  visitor_id: (row, text) => <VisitorLink websiteId={websiteId} row={row} text={text} />,
});

function SessionList({ scene }: { scene: SceneView }) {
  const t = sessionsTexts.value;
  const { screens } = texts.value.website;
  const view = useListing(SESSIONS);
  const totals = totalsQuestion(scene);
  const read = useRead<QueryBatch>(queryRequest(scene, [totals, listingQuestion(scene, SESSIONS, view)]));
  return (
    <WebsiteScreen scene={scene} read={read} of={useWebsiteOfPath(read.fault)} title={screens.sessions}>
      <Totals question={totals} totals={TOTALS} titles={t.columns} definitions={t.definitions} read={read} />
      <ListingTable
        title={screens.sessions}
        definition={t.list}
        titles={{ ...drillTexts.value.columns, ...t.columns }}
        listing={SESSIONS}
        view={view}
        scene={scene}
        read={read}
        cells={sessionCells(scene.websiteId)}
      />
    </WebsiteScreen>
  );
}
