/** One visitor: what is known of it, its sessions, and its erasing. */
import { useState } from 'preact/hooks';
import { useAddress } from '../../address.ts';
import { may } from '../../api/session.ts';
import { useRead } from '../../api/use-read.ts';
import { Button } from '../../design/button.tsx';
import { listingQuestion } from '../../drill/listing.ts';
import { ListingTable } from '../../drill/listing-table.tsx';
import { RowFacts } from '../../drill/row-facts.tsx';
import { drillTexts } from '../../drill/texts.ts';
import { useListing } from '../../drill/use-listing.ts';
import { texts } from '../../texts/texts.ts';
import { answerOf, type QueryBatch, textOf } from '../../website/batch.ts';
import { queryRequest } from '../../website/scene.ts';
import type { SceneView } from '../../website/use-scene.ts';
import { sceneAddress } from '../../website/website-links.ts';
import { useWebsiteOfPath, WebsiteScreen } from '../../website/website-screen.tsx';
import { sessionsOf } from '../sessions/listings.ts';
import { SessionLink } from '../sessions/session-link.tsx';
import { sessionsTexts } from '../sessions/texts.ts';
import { EraseDialog } from './erase-dialog.tsx';
import { oneVisitor, VISITORS } from './listings.ts';
import { Person } from './person.tsx';
import { visitorsTexts } from './texts.ts';

export function OneVisitor({ visitorId, scene }: { visitorId: string; scene: SceneView }) {
  const t = visitorsTexts.value;
  const { parameters, go } = useAddress();
  const [isErasing, erase] = useState(false);
  const [isKnown, know] = useState(false);
  const { websiteId } = scene;
  const listing = sessionsOf(visitorId);
  const view = useListing(listing);
  const whole = { ...scene, filters: [], comparison: undefined };
  const read = useRead<QueryBatch>(
    queryRequest(scene, [oneVisitor(scene, visitorId), listingQuestion(whole, listing, view)]),
  );
  const row = answerOf(read.data, 'profiles', 'visitor')?.data[0];
  const person = row === undefined ? '' : textOf(row, 'profile_id');
  const titles: Readonly<Record<string, string>> = {
    ...drillTexts.value.columns,
    ...sessionsTexts.value.columns,
    ...t.columns,
  };
  const back = sceneAddress(websiteId, 'visitors', parameters);
  return (
    <WebsiteScreen
      scene={scene}
      read={read}
      of={useWebsiteOfPath(read.fault)}
      title={t.one}
      lead={<a href={back}>{t.all}</a>}
      hasNoComparison
    >
      <section class="card stack">
        <RowFacts row={row ?? { visitor_id: visitorId }} columns={VISITORS.columns} titles={titles} />
        {may('manage:websites') && (
          <div class="row">
            {person !== '' && !isKnown && (
              <Button icon="user" onClick={() => know(true)}>
                {t.person.show}
              </Button>
            )}
            <Button kind="danger" icon="trash-2" onClick={() => erase(true)}>
              {t.erase.visitor}
            </Button>
          </div>
        )}
      </section>
      {isKnown && person !== '' && <Person profileId={person} websiteId={websiteId} />}
      <ListingTable
        title={texts.value.website.screens.sessions}
        definition={t.sessions}
        titles={titles}
        listing={listing}
        view={view}
        scene={{ ...scene, ...whole }}
        read={read}
        cells={{
          first_visit: (each, text) => <SessionLink websiteId={websiteId} row={each} text={text} />,
        }}
      />
      {isErasing && (
        <EraseDialog
          kind="visitor"
          id={visitorId}
          websiteId={websiteId}
          onClose={() => erase(false)}
          onErased={() => go(back, {}, true)}
        />
      )}
    </WebsiteScreen>
  );
}
