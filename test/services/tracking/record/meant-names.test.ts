/** What a 400 says of names that other clients use: the right one, in words too, for many show the text alone. */
import { expect } from 'chai';
import { createTrackingFixture, type TrackingFixture } from '../tracking-fixture.ts';

/** By the route: what came, the field that is named wrong, and the name that is right. */
const MISNAMED: readonly [string, Readonly<Record<string, unknown>>, string, string][] = [
  ['/track', { event: 'signup' }, 'event', 'name'],
  ['/track', { eventName: 'signup', properties: { plan: 'pro' } }, 'eventName', 'name'],
  ['/track', { event_name: 'signup' }, 'event_name', 'name'],
  ['/track', { nmae: 'signup' }, 'nmae', 'name'],
  ['/track', { name: null, Name: 'signup' }, 'Name', 'name'],
  ['/events', { event: 'signup' }, 'event', 'name'],
  ['/batch', { type: 'custom', event: 'signup' }, 'event', 'name'],
  ['/', { event: 'signup' }, 'event', 'name'],
  ['/vitals', { name: 'LCP', metricValue: 7 }, 'name', 'metricName'],
  ['/vitals', { metricName: 'LCP', value: 7 }, 'value', 'metricValue'],
  ['/errors', { error: 'x is not a function' }, 'error', 'message'],
  ['/identify', { userId: 'user-1' }, 'userId', 'profileId'],
];

const TYPES: readonly [string, string | undefined][] = [
  ['pageview', 'screen_view'],
  ['page_view', 'screen_view'],
  ['$pageview', 'screen_view'],
  ['pageView', 'screen_view'],
  ['page', 'screen_view'],
  ['screenview', 'screen_view'],
  ['page_exits', 'page_exit'],
  ['Custom', 'custom'],
  ['web-vitals', 'web_vitals'],
  ['nothing that is near', undefined],
  ['constructor', undefined],
];

describe('what was meant by a wrong name', () => {
  let service: TrackingFixture;
  before(async () => {
    service = await createTrackingFixture();
  });
  after(() => service.close());

  const refused = async (path: string, body: unknown) => {
    const before = await service.count();
    const { status, body: answer } = await service.post(path, body);
    expect([status, answer.code]).to.deep.equal([400, 'VALIDATION_ERROR']);
    expect(await service.count()).to.equal(before);
    return answer;
  };

  for (const [path, body, came, right] of MISNAMED) {
    it(`is said on POST ${path} for ${JSON.stringify(body)}: ${right}`, async () => {
      const answer = await refused(path, body);
      const [first, ...others] = answer.details ?? [];
      expect(first).to.deep.equal({
        field: came,
        message: `The event says here what belongs in ${right}; did you mean "${right}"?`,
        suggestion: right,
      });
      expect(others.map(({ field }) => field)).to.deep.equal([right]);
      expect(answer.error).to.include(`did you mean "${right}"?`);
    });
  }

  it('is said of each event of an array, and of no event that has what it needs', async () => {
    const answer = await refused('/track', [{ name: 'fine', event: 'ignored' }, { event: 'signup' }, {}]);
    expect(answer.details?.map(({ field }) => field)).to.deep.equal([
      'events[1].event',
      'events[1].name',
      'events[2].name',
    ]);
    const taken = await service.post('/track', { name: 'fine', event: 'ignored' });
    expect(taken.status).to.equal(200);
  });

  it('is not made up: an object, a known field and one that is not near stand for no name', async () => {
    for (const more of [{ event: { a: 1 } }, { path: '/name' }, { something: 'else' }, { event: null }]) {
      const answer = await refused('/track', more);
      expect(answer.details?.map(({ field }) => field)).to.deep.equal(['name']);
    }
  });

  for (const [type, suggestion] of TYPES) {
    it(`is said of the type "${type}" on /batch and /: ${suggestion ?? 'nothing'}`, async () => {
      for (const [path, body, field] of [
        [
          '/batch',
          [
            { type: 'track', name: 'fine' },
            { type, path: '/' },
          ],
          'events[1].type',
        ],
        ['/', { type, path: '/' }, 'type'],
      ] as const) {
        const { details, error } = await refused(path, body);
        const [detail, ...others] = details ?? [];
        expect([detail?.field, detail?.suggestion]).to.deep.equal([field, suggestion]);
        const isName = suggestion !== undefined && suggestion !== 'custom';
        const missing = isName ? [] : [field.replace('type', 'name')];
        expect(others.map((other) => other.field)).to.deep.equal(missing);
        expect(detail?.message).to.match(
          /^Expected one of track, custom, custom_event, event, screen_view, /,
        );
        if (suggestion === undefined) expect(detail).to.not.have.property('suggestion');
        else expect(error).to.include(`did you mean "${suggestion}"?`);
      }
    });
  }
});
