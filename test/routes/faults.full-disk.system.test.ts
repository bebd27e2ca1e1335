/** The whole product on a disk that runs full: clear refusals, queries that go on, nothing acknowledged lost, and no restart. */
import { expect } from 'chai';
import { mountSmallDisk, type SmallDisk } from '../support/small-disk.ts';
import { type Answer, startTidegate, type TestServer } from '../support/start-tidegate.ts';

const QUERY = { parameters: ['custom_events_summary'], preset: 'last_7d' };
const SENDERS = 4;
/** Bytes of a text of each event, so that a few hundred events fill the disk. */
const STACK_BYTES = 20_000;
const EVENTS_PER_REQUEST = 20;

describe('a full disk under DATA_DIR', () => {
  let disk: SmallDisk | null = null;
  let server: TestServer | null = null;
  let next = 0;

  afterEach(async () => {
    await server?.close();
    disk?.remove();
    server = null;
    disk = null;
  });

  const newEvents = () =>
    Array.from({ length: EVENTS_PER_REQUEST }, () => ({
      name: 'bulky',
      websiteId: 'web_shop',
      anonymousId: 'visitor-1',
      eventId: `event-${next++}`,
      stack: 'x'.repeat(STACK_BYTES),
    }));
  type Events = ReturnType<typeof newEvents>;

  it('answers 503 and says why, goes on with queries, and stores again once there is room', async function () {
    const small = mountSmallDisk(14);
    if (small === null) return this.skip();
    disk = small;
    const started = await startTidegate({ dataDir: small.path });
    server = started;
    const track = (events: Events): Promise<Answer> =>
      started.call('POST', '/track', { key: started.keys.all, body: events });
    const countStored = async (): Promise<number> => {
      const answer = await started.call('POST', '/v1/query?website_id=web_shop', {
        key: started.keys.all,
        body: QUERY,
      });
      expect(answer.status, JSON.stringify(answer.body)).to.equal(200);
      return answer.body.data[0].data[0].total_events;
    };

    let acknowledged = 0;
    const refused: { events: Events; answer: Answer }[] = [];
    while (refused.length === 0) {
      const arrays = Array.from({ length: SENDERS }, newEvents);
      const answers = await Promise.all(arrays.map(track));
      for (const [i, answer] of answers.entries()) {
        if (answer.status === 200) acknowledged += EVENTS_PER_REQUEST;
        else refused.push({ events: arrays[i] ?? [], answer });
      }
    }
    expect(acknowledged).to.be.greaterThan(0);
    for (const { answer } of refused) {
      expect([answer.status, answer.body.code]).to.deep.equal([503, 'UPSTREAM_UNAVAILABLE']);
      expect(answer.headers.get('retry-after')).to.match(/^[1-9]\d*$/);
      expect(answer.body.error).to.equal(
        'The disk of the event store is full; try again once there is room.',
      );
    }
    expect(await countStored(), 'stored while the disk is full').to.equal(acknowledged);

    small.grow(96);
    for (const { events } of refused) {
      // The store tries to open again after a second at the latest, if it had to give up.
      const deadline = Date.now() + 60_000;
      let answer = await track(events);
      while (answer.status === 503 && Date.now() < deadline) answer = await track(events);
      expect(answer.status, JSON.stringify(answer.body)).to.equal(200);
      acknowledged += EVENTS_PER_REQUEST;
    }
    expect((await track(newEvents())).status).to.equal(200);
    expect(await countStored()).to.equal(acknowledged + EVENTS_PER_REQUEST);
  });
});
