/** Holds that people reach by the dashboard what the API can do for them: each operation is asked for by its source, or the reason why not stands here. */
import { expect } from 'chai';
import { dashboardCalls } from '../../support/dashboard-calls.ts';
import { describedBy, operationsOf, shippedConfiguration } from '../../support/shipped-description.ts';

interface Unasked {
  readonly reason: string;
  readonly operations: readonly string[];
}

/** Why no screen asks for an operation. */
const NOT_ASKED: readonly Unasked[] = [
  {
    reason: 'Pages and servers send it, by the tracker or by themselves.',
    operations: [
      ...['POST /identify', 'POST /events', 'POST /vitals', 'POST /errors', 'POST /batch', 'POST /'],
      ...['GET /px.gif', 'GET /tracker.js'],
    ],
  },
  {
    reason: 'Visitors open it: a short link, or the page of a share.',
    operations: ['GET /:slug', 'GET /share/:token'],
  },
  { reason: 'Programs ask it for what they show or do.', operations: ['GET /public/v1/flags/bulk'] },
  {
    reason:
      'Raw events by the million, for a file that a page cannot hold; lists of events have files of their own.',
    operations: ['GET /v1/export'],
  },
  {
    reason: 'The one with a query takes every identifier, also one that no path can carry.',
    operations: [
      ...[
        'DELETE /v1/visitors/:anonymousId',
        'GET /v1/profiles/:profileId',
        'DELETE /v1/profiles/:profileId',
      ],
    ],
  },
  {
    reason: 'The list tells the same of each.',
    operations: [
      ...['GET /v1/members/:id', 'GET /v1/views/:id', 'GET /v1/annotations/:id', 'GET /v1/shares/:id'],
    ],
  },
  {
    reason: 'People save it anew, and take the old one away.',
    operations: ['PATCH /v1/views/:id', 'PATCH /v1/annotations/:id'],
  },
  {
    reason:
      'Tidegate sends nothing to integrations: only programs of the organization read what stands in them.',
    operations: [
      ...['GET /v1/integrations', 'POST /v1/integrations', 'GET /v1/integrations/:id'],
      ...['PATCH /v1/integrations/:id', 'DELETE /v1/integrations/:id'],
    ],
  },
  {
    reason: 'The description of the API, with a page of its own.',
    operations: ['GET /openapi.json', 'GET /docs', 'GET /docs/:asset'],
  },
  {
    reason: 'Backends and whoever watches the processes ask it.',
    operations: ['GET /.well-known/jwks.json', 'GET /health', 'GET /health/ready'],
  },
];

/** Whichever names its parameters have. */
const bare = (operation: string) => operation.replace(/:\w+/g, ':');

describe('the operations of the API', () => {
  const calls = dashboardCalls();
  const asked = new Set(calls.flatMap(({ operations }) => operations));
  let known: string[];
  before(async () => {
    known = [...operationsOf(describedBy(await shippedConfiguration())).keys()];
  });
  const excused = NOT_ASKED.flatMap(({ operations }) => operations);

  it('are found in the source by constants, functions, callers and elements, each with its method', () => {
    expect([...asked]).to.include.members([
      'POST /v1/query',
      'GET /v1/target-groups',
      'DELETE /v1/target-groups/:',
      'POST /v1/api-keys/:/rotate',
      'DELETE /v1/profiles',
      'PATCH /v1/funnels/:',
      'GET /v1/platform/changes',
    ]);
    expect([...asked]).not.to.include.members(['DELETE /v1/members']);
  });

  it('are reached by a screen each, or the reason why not is written down', () => {
    expect(known.filter((each) => !asked.has(bare(each)) && !excused.includes(each))).to.deep.equal([]);
  });

  it('have no reason that is not needed any more', () => {
    expect(
      excused.filter((each) => !known.includes(each)),
      'gone',
    ).to.deep.equal([]);
    expect(
      excused.filter((each) => asked.has(bare(each))),
      'reached',
    ).to.deep.equal([]);
    expect(excused).to.have.length(new Set(excused).size);
  });

  it('are what every request of the pages asks for', () => {
    const all = new Set(known.map(bare));
    const unknown = calls.filter(({ operations }) => !operations.some((each) => all.has(each)));
    expect(unknown).to.deep.equal([]);
  });
});
