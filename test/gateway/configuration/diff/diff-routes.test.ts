/** What changes at routes, against a table worked out by hand. */
import { type Pair, pairCases } from '../../../support/configuration-pairs.ts';
import { EXPORT, shopAt } from '../../../support/shop-edits.ts';

const LINKS =
  '  links-read:\n    paths: [/v1/links, "/v1/links/:id"]\n    methods: GET\n    scopes: [read:links]\n';
const AUDIT =
  '  audit:\n    paths: /v1/audit\n    methods: GET\n    access: session\n    roles: [owner, admin]\n';

const PAIRS: readonly Pair[] = [
  {
    title: 'a route that needs no credential any more',
    edits: [['gateway', LINKS, LINKS.replace('scopes: [read:links]', 'access: public')]],
    changes: ['GET /v1/links', 'GET /v1/links/:id'].map((name) => [
      `changed route ${name}`,
      ['rule: read:links → public'],
      ['becomes public', 'no longer needs read:links'],
    ]),
  },
  {
    title: 'a route whose wrong credentials are refused, and that nobody needs one for',
    edits: [['gateway', LINKS, LINKS.replace('scopes: [read:links]', 'access: optional')]],
    changes: ['GET /v1/links', 'GET /v1/links/:id'].map((name) => [
      `changed route ${name}`,
      ['rule: read:links → optional'],
      ['may now be asked without a credential', 'no longer needs read:links'],
    ]),
  },
  {
    title: 'a further scope, which opens nothing',
    edits: [['gateway', EXPORT, EXPORT.replace('[read:data]', '[read:data, manage:config]')]],
    changes: [['changed route GET /v1/export', ['rule: read:data → manage:config + read:data'], []]],
  },
  {
    title: 'a scope that is not needed any more',
    before: [['gateway', EXPORT, EXPORT.replace('[read:data]', '[read:data, manage:config]')]],
    edits: [],
    changes: [
      [
        'changed route GET /v1/export',
        ['rule: manage:config + read:data → read:data'],
        ['no longer needs manage:config'],
      ],
    ],
  },
  {
    title: 'another scope in place of one',
    edits: [['gateway', EXPORT, EXPORT.replace('read:data', 'read:links')]],
    changes: [
      ['changed route GET /v1/export', ['rule: read:data → read:links'], ['no longer needs read:data']],
    ],
  },
  {
    title: 'another role of sessions',
    edits: [['gateway', AUDIT, AUDIT.replace('admin]', 'admin, viewer]')]],
    changes: [
      [
        'changed route GET /v1/audit',
        ['rule: session of owner or admin → session of owner or admin or viewer'],
        ['is now open to the role viewer'],
      ],
    ],
  },
  {
    title: 'a role fewer',
    edits: [['gateway', AUDIT, AUDIT.replace('[owner, admin]', '[owner]')]],
    changes: [['changed route GET /v1/audit', ['rule: session of owner or admin → session of owner'], []]],
  },
  {
    title: 'a route of sessions that keys may ask',
    before: [
      [
        'gateway',
        EXPORT,
        `${EXPORT}  shop:\n    paths: /shop\n    methods: POST\n    access: session\n    roles: [owner]\n`,
      ],
      ...shopAt().slice(1),
    ],
    edits: [
      [
        'gateway',
        EXPORT,
        `${EXPORT}  shop:\n    paths: /shop\n    methods: POST\n    scopes: [manage:config]\n`,
      ],
      ...shopAt().slice(1),
    ],
    changes: [
      [
        'changed route POST /shop',
        ['rule: session of owner → manage:config'],
        ['may now be asked with a key'],
      ],
    ],
  },
  {
    title: 'answers that any web page may read',
    edits: [['gateway', EXPORT, `${EXPORT}    cors: open\n`]],
    changes: [
      ['changed route GET /v1/export', ['cors: own → open'], ['any web page may now read its answers']],
    ],
  },
  {
    title: 'a limit that binds a route no more',
    edits: [['gateway', 'limits: [custom-sql, custom-sql-seconds]', 'limits: [custom-sql-seconds]']],
    changes: [
      [
        'changed route POST /v1/query/custom',
        ['limits: custom-sql, custom-sql-seconds → custom-sql-seconds'],
        ['is no longer limited by custom-sql'],
      ],
    ],
  },
  {
    title: 'a limit in addition',
    edits: [['gateway', EXPORT, `${EXPORT}    limits: [custom-sql]\n`]],
    changes: [['changed route GET /v1/export', ['limits: custom-sql'], []]],
  },
  {
    title: 'a scope that suffices under another selector',
    edits: [
      [
        'gateway',
        '{ link_id: [read:links] }\n    cost',
        '{ link_id: [read:links], website_id: [read:links] }\n    cost',
      ],
    ],
    changes: [
      [
        'changed route POST /v1/query',
        [
          'rule: read:data, or read:links under link_id → read:data, or read:links under link_id, or read:links under website_id',
        ],
        ['needs less than before under website_id'],
      ],
    ],
  },
  {
    title: 'a login for pages of any site',
    edits: [
      [
        'gateway',
        '    origin: own\n    limits: [login, login-account]',
        '    limits: [login, login-account]',
      ],
    ],
    changes: [
      [
        'changed route POST /v1/auth/login',
        ['rule: public, for pages of the own domains → public'],
        ['pages of other sites may now ask'],
      ],
    ],
  },
  {
    title: 'a route that is gone',
    edits: [
      ['gateway', EXPORT, ''],
      [
        'gateway',
        '  exports:\n    apiEndpoints: [export]\n    policies:\n      - auth:\n      - body:\n      - scopes:\n      - rate-limit:\n      - proxy:\n          - action: { serviceEndpoint: query, timeoutSeconds: 35 }\n',
        '',
      ],
    ],
    changes: [
      ['removed route GET /v1/export', ['rule: read:data → nothing', 'upstream: query → nothing'], []],
    ],
  },
];

describe('the difference of routes', () => {
  pairCases(PAIRS);
});
