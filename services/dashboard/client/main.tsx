/** Starts the pages: language and appearance, then who is logged in, then the screen of the address. */
import { render } from 'preact';
import { followOtherTabs, readSession } from './api/session.ts';
import { App } from './app.tsx';
import { keepFocus } from './design/kept-focus.ts';
import { showChosen } from './frame/appearance.ts';
import { areStylesGone } from './frame/styles-gone.ts';
import { speak } from './texts/speak.ts';
import { preferred } from './texts/texts.ts';

async function start(): Promise<void> {
  if (await areStylesGone()) return;
  showChosen();
  followOtherTabs();
  const [answer] = await Promise.all([readSession(), speak(preferred())]);
  const place = document.getElementById('app');
  // What the document shows until now goes at once, or it would be pushed down for a frame.
  place?.replaceChildren();
  if (!place) return;
  keepFocus(place);
  render(<App fault={answer?.ok === false ? answer.fault : undefined} />, place);
}

void start();
