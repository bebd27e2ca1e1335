/** The lines that people copy to send events: into their pages, or from a server. */
import { curlOf } from '../../exports/curl.ts';

/** The element of the tracker, for the pages of a website. */
export function snippetOf(origin: string, websiteId: string): string {
  return `<script defer src="${attribute(`${origin}/tracker.js`)}" data-client-id="${attribute(websiteId)}"></script>`;
}

/** A pageview sent by a server, with a key in place of `$TIDEGATE_KEY`. */
export function pageviewCurl(origin: string, websiteId: string): string {
  const body = {
    name: 'screen_view',
    websiteId,
    anonymousId: 'visitor-1',
    sessionId: 'visit-1',
    path: '/welcome',
  };
  return curlOf({ method: 'POST', path: '/track', body }, origin);
}

function attribute(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('"', '&quot;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');
}
