/** GET /share/{token}: the page of a share, which pages of that share's origins may embed. */
import { z } from 'zod';
import { PERMISSIONS, pagePolicy } from '../../shared/http/page-policy.ts';
import { defineRoute, type Route } from '../../shared/http/route.ts';
import type { Clock } from '../../shared/ports/clock.ts';
import type { DescribeShare } from '../../shared/ports/describe-share.ts';
import type { DocumentStore } from '../../shared/ports/document-store.ts';
import { lookUpShare } from '../../shared/shares/find-share.ts';
import type { SharePage } from './share-page.ts';

export interface SharePagePorts {
  readonly documents: DocumentStore;
  readonly clock: Clock;
  readonly describeShare: DescribeShare;
  readonly sharePage: SharePage;
}

const NOT_FOUND = 404;

/** The token stands in the address, so no address is told to anybody, and no cache and no index keeps the page. */
const HEADERS = {
  'Cache-Control': 'private, no-store',
  'Referrer-Policy': 'no-referrer',
  'X-Robots-Tag': 'noindex, nofollow',
  'X-Content-Type-Options': 'nosniff',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Permissions-Policy': PERMISSIONS,
};

export const sharePageRoute: Route<SharePagePorts> = defineRoute<SharePagePorts>({
  operationId: 'getSharePage',
  method: 'GET',
  path: '/share/:token',
  pathParameters: { token: 'The token of the share, which is part of its link.' },
  rule: 'public',
  summary: 'The page of a share',
  description:
    'A document for people: the numbers of the share, or the form for its password. Pages of its `origins` may embed it (`frame-ancestors`), no others. `theme` of the query string (`light`, `dark`, `auto`) chooses its colours, `range`, or `from` and `to`, a part of its range. Neither keys nor cookies are read. A share that is unknown, expired or taken back is 404 with a page that says so.',
  tags: ['shares'],
  success: {
    status: 200,
    schema: z.string(),
    example: '',
    mediaType: 'text/html; charset=utf-8',
    headers: {
      'Cache-Control': '`private, no-store`.',
      'Content-Security-Policy': 'What the page may load, and who may embed it.',
      'Referrer-Policy': '`no-referrer`: the address holds the token.',
      'X-Robots-Tag': 'No search engine lists it.',
    },
  },
  errors: ['NOT_FOUND', 'SERVICE_UNAVAILABLE'],
  errorPages: ['NOT_FOUND'],
  async handler({ params }, { documents, clock, describeShare, sharePage }) {
    const found = await lookUpShare(documents, params.token ?? '', clock.now());
    if (found === null) {
      return { status: NOT_FOUND, bytes: sharePage('missing'), headers: headersFor([]) };
    }
    const { share, view } = found;
    const state = share.passwordHash === null ? { share: describeShare(share, view.state) } : 'locked';
    return { bytes: sharePage(state), headers: headersFor(share.origins) };
  },
});

function headersFor(origins: readonly string[]): Record<string, string> {
  return { ...HEADERS, 'Content-Security-Policy': pagePolicy(origins) };
}
