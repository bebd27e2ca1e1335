/** The whole of the pages: which screen an address shows, to whom. */

import { useEffect, useRef } from 'preact/hooks';
import { ErrorBoundary, LocationProvider, Route, Router } from 'preact-iso';
import { addressOf, currentAddress, HOME, reload, useAddress } from './address.ts';
import type { Fault } from './api/fault.ts';
import { generation, session } from './api/session.ts';
import { PageHead } from './design/page-head.tsx';
import { EndedExport } from './exports/ended-export.tsx';
import { Frame } from './frame/frame.tsx';
import { SessionOver } from './frame/session-over.tsx';
import { ENTRANCES, SCREENS } from './screens/index.ts';
import { Guarded } from './states/crashed.tsx';
import { FaultNotice } from './states/fault-notice.tsx';
import { texts } from './texts/texts.ts';

/** `fault`: why it is not known who is logged in. */
export function App({ fault }: { fault?: Fault }) {
  return (
    <LocationProvider scope={HOME}>
      <Screens fault={fault} />
      <SessionOver />
      <EndedExport />
    </LocationProvider>
  );
}

const isEntrance = (path: string): boolean => ENTRANCES.some((entrance) => entrance.path === path);

/** Another organization, chosen here or in another tab, has nothing at an address of the one before. */
function useOwnAddress(): void {
  const { path, go } = useAddress();
  const organizationId = session.value?.activeOrganizationId;
  const before = useRef(organizationId);
  useEffect(() => {
    const isOther = before.current && organizationId && before.current !== organizationId;
    before.current = organizationId;
    if (isOther && !isEntrance(path)) go(HOME, {}, true);
  }, [organizationId]);
}

function Screens({ fault }: { fault?: Fault }) {
  const { path } = useAddress();
  useOwnAddress();
  if (isEntrance(path)) {
    return (
      <Guarded key={path}>
        <ErrorBoundary>
          <Router>
            {ENTRANCES.map((entrance) => (
              <Route key={entrance.path} path={entrance.path} component={entrance.screen} />
            ))}
          </Router>
        </ErrorBoundary>
      </Guarded>
    );
  }
  if (session.value === undefined) {
    return fault ? (
      <main class="entrance" id="content">
        <FaultNotice fault={fault} again={reload} />
      </main>
    ) : null;
  }
  if (session.value === null) return <ToLogin />;
  return (
    <Guarded key={generation.value}>
      <Frame>
        <Guarded key={path}>
          <ErrorBoundary>
            <Router>
              {SCREENS.map((each) => (
                <Route key={each.path} path={each.path} component={each.screen} />
              ))}
              <Route default component={Nowhere} />
            </Router>
          </ErrorBoundary>
        </Guarded>
      </Frame>
    </Guarded>
  );
}

function ToLogin() {
  const { go } = useAddress();
  useEffect(() => {
    const next = currentAddress();
    go(`${HOME}/login`, next === HOME ? {} : { next }, true);
  }, [go]);
  return null;
}

function Nowhere() {
  const t = texts.value;
  return (
    <>
      <PageHead title={t.states.missing} lead={t.states.missingHint} />
      <p>
        <a href={addressOf(HOME)}>{t.frame.websites}</a>
      </p>
    </>
  );
}
