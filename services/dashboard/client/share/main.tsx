/** Starts the page of a share, which is a document of its own: no session, no cookie, no screen of the dashboard. */
import { render } from 'preact';
import { LocationProvider } from 'preact-iso';
import { SHARES, startingParameters } from '../address.ts';
import type { SharePageState } from '../api/wire.ts';
import { keepFocus } from '../design/kept-focus.ts';
import { areStylesGone } from '../frame/styles-gone.ts';
import { preferred } from '../texts/texts.ts';
import { SharePage } from './share-page.tsx';
import { showTheme } from './show-theme.ts';
import { speakShare } from './speak-share.ts';

async function start(): Promise<void> {
  if (await areStylesGone()) return;
  showTheme(startingParameters().theme);
  speakShare(preferred());
  const place = document.getElementById('app');
  if (!place) return;
  place.replaceChildren();
  keepFocus(place);
  // What the service wrote into the document of this share.
  const state = JSON.parse(document.documentElement.dataset.share ?? '"missing"') as SharePageState;
  render(
    <LocationProvider scope={SHARES}>
      <SharePage state={state} />
    </LocationProvider>,
    place,
  );
}

void start();
