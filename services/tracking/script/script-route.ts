/** GET /tracker.js: the script that pages load. */
import { z } from 'zod';
import { namesEntityTag } from '../../shared/http/entity-tag.ts';
import { codingFor } from '../../shared/http/representation.ts';
import { defineRoute, type Route } from '../../shared/http/route.ts';
import type { TrackingParts } from '../ports.ts';

const HEADERS = {
  'Cache-Control': 'public, max-age=3600',
  Vary: 'Accept-Encoding',
  // Pages of any site load it.
  'Cross-Origin-Resource-Policy': 'cross-origin',
};

export const scriptRoute: Route<TrackingParts> = defineRoute<TrackingParts>({
  operationId: 'getTracker',
  method: 'GET',
  path: '/tracker.js',
  rule: 'public',
  summary: 'The browser tracker',
  description:
    'A script that sends page views, events, outbound clicks, web vitals and errors of the page that carries it: `<script defer src="…/tracker.js" data-client-id="web_…"></script>`. Compressed (br, gzip) when asked; `If-None-Match` is answered 304.',
  tags: ['tracking'],
  requestHeaders: { 'If-None-Match': 'An `ETag` of an earlier answer.' },
  success: {
    status: 200,
    schema: z.string(),
    example: '',
    mediaType: 'text/javascript; charset=utf-8',
    headers: {
      ETag: 'Version of the script.',
      'Cache-Control': 'An hour, in any cache.',
      'Cross-Origin-Resource-Policy': 'Pages of any site may carry it.',
    },
  },
  errors: [],
  async handler({ headers }, { script }) {
    const caching = { ...HEADERS, ETag: script.etag };
    if (namesEntityTag(headers['if-none-match']?.toString(), script.etag))
      return { status: 304, headers: caching };
    const coding = codingFor(headers['accept-encoding']?.toString());
    return coding === null
      ? { bytes: script.plain, headers: caching }
      : { bytes: script.compressed[coding], headers: { ...caching, 'Content-Encoding': coding } };
  },
});
