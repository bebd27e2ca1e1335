/** What changes at backends, against a table worked out by hand. */
import { type Pair, pairCases } from '../../../support/configuration-pairs.ts';
import { RESOURCES, SHOP, shopAt, shopEndpoint, shopPipeline } from '../../../support/shop-edits.ts';

const PAIRS: readonly Pair[] = [
  {
    title: 'routes of a backend of their own',
    edits: shopAt(),
    changes: [
      ...['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'].map(
        (method) => [`added route ${method} /shop/*`, ['rule: read:data', 'upstream: shop'], []] as const,
      ),
      [
        'added upstream shop',
        [
          'urls: ["https://shop.example.com"]',
          'dropHeaders: *',
          'balance: least-connections',
          'required: false',
          'retries: 1',
        ],
        [],
      ],
    ],
  },
  {
    title: 'a backend that learns who calls no more',
    before: shopAt('\n    identity: { audience: shop }'),
    edits: shopAt(),
    changes: [
      [
        'changed upstream shop',
        ['identity: {"audience":"shop","perRequest":false} → nothing'],
        ['no longer learns who calls'],
      ],
    ],
  },
  {
    title: 'a backend that must believe headers',
    before: shopAt('\n    identity: { audience: shop }'),
    edits: shopAt('\n    identity: headers'),
    changes: [
      [
        'changed upstream shop',
        ['identity: {"audience":"shop","perRequest":false} → headers'],
        ['learns who calls from headers that it cannot verify'],
      ],
    ],
  },
  {
    title: 'a backend at another address, without TLS',
    before: shopAt(),
    edits: [shopEndpoint, ['gateway', RESOURCES, SHOP().replace('https', 'http')], shopPipeline('shop')],
    changes: [
      [
        'changed upstream shop',
        ['urls: ["https://shop.example.com"] → ["http://shop.example.com"]'],
        ['is now spoken to without TLS'],
      ],
    ],
  },
  {
    title: 'more retries',
    before: shopAt(),
    edits: shopAt('\n    retries: 3'),
    changes: [['changed upstream shop', ['retries: 1 → 3'], []]],
  },
  {
    title: 'a header that clients may send',
    before: shopAt('\n    dropHeaders: [x-partner]'),
    edits: shopAt(),
    changes: [['changed upstream shop', ['dropHeaders: *'], ['clients may now send it x-partner']]],
  },
  {
    title: 'a longer time for the backend of some routes',
    edits: [
      [
        'gateway',
        'serviceEndpoint: tracking, timeoutSeconds: 15',
        'serviceEndpoint: tracking, timeoutSeconds: 20',
      ],
    ],
    changes: [
      'POST /track',
      ...['/identify', '/events', '/vitals', '/errors', '/batch', '/'].map((path) => `POST ${path}`),
      'GET /px.gif',
      'GET /tracker.js',
      'GET /:slug',
    ].map((name) => [`changed route ${name}`, ['policy proxy: *'], []]),
  },
];

describe('the difference of backends', () => {
  pairCases(PAIRS);
});
