/** The visitors of a website, one of them with its sessions, and a person by the identifier that `/identify` gave. */
import { useAddress, usePathPart } from '../../address.ts';
import { useRead } from '../../api/use-read.ts';
import { listingQuestion } from '../../drill/listing.ts';
import { ListingTable } from '../../drill/listing-table.tsx';
import { drillTexts } from '../../drill/texts.ts';
import { useListing } from '../../drill/use-listing.ts';
import { texts } from '../../texts/texts.ts';
import type { QueryBatch } from '../../website/batch.ts';
import { queryRequest } from '../../website/scene.ts';
import { type SceneView, useScene } from '../../website/use-scene.ts';
import { useWebsiteOfPath, WebsiteScreen } from '../../website/website-screen.tsx';
import { VisitorLink } from '../sessions/session-link.tsx';
import { sessionsTexts } from '../sessions/texts.ts';
import { FindPerson } from './find-person.tsx';
import { VISITORS } from './listings.ts';
import { OneVisitor } from './one-visitor.tsx';
import { visitorsTexts } from './texts.ts';

export function Visitors() {
  const { parameters } = useAddress();
  const scene = useScene(usePathPart('websiteId'));
  const { visitor } = parameters;
  return visitor ? (
    <OneVisitor key={visitor} visitorId={visitor} scene={scene} />
  ) : (
    <VisitorList scene={scene} />
  );
}

function VisitorList({ scene }: { scene: SceneView }) {
  const t = visitorsTexts.value;
  const { screens } = texts.value.website;
  const view = useListing(VISITORS);
  const read = useRead<QueryBatch>(queryRequest(scene, [listingQuestion(scene, VISITORS, view)]));
  return (
    <WebsiteScreen scene={scene} read={read} of={useWebsiteOfPath(read.fault)} title={screens.visitors}>
      <ListingTable
        title={screens.visitors}
        definition={t.list}
        titles={{ ...drillTexts.value.columns, ...sessionsTexts.value.columns, ...t.columns }}
        listing={VISITORS}
        view={view}
        scene={scene}
        read={read}
        cells={{
          visitor_id: (row, text) => <VisitorLink websiteId={scene.websiteId} row={row} text={text} />,
        }}
      />
      <FindPerson websiteId={scene.websiteId} />
    </WebsiteScreen>
  );
}
