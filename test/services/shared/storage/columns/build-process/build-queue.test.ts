/** The queue of builds: who comes next, and when. */
import { expect } from 'chai';
import { BuildQueue } from '../../../../../../services/shared/storage/columns/build-process/build-queue.ts';

const of = (websiteId: string) => ({ organizationId: 'org_a', websiteId });

describe('the queue of builds', () => {
  it('gives each partition one turn at a time, the oldest first', () => {
    const queue = new BuildQueue();
    for (const id of ['a', 'b', 'a']) queue.add(of(id));
    expect(queue.waiting).to.equal(2);
    const [first, second] = [queue.begin(0), queue.begin(0)];
    expect([first?.partition, second?.partition, queue.begin(0)]).to.deep.equal([of('a'), of('b'), null]);
    expect([queue.waiting, queue.dueAt]).to.deep.equal([0, null]);
  });

  it('prefers a partition that a query waits for, until it leaves', () => {
    const queue = new BuildQueue();
    for (const id of ['a', 'b', 'c']) queue.add(of(id));
    queue.await(of('b'), () => undefined, 0).leave();
    queue.await(of('c'), () => undefined, 0);
    expect(queue.begin(0)?.partition).to.deep.equal(of('c'));
    expect(queue.begin(0)?.partition).to.deep.equal(of('a'));
  });

  it('lets everybody go on who waits when it is built, and keeps it while damage was found meanwhile', () => {
    const queue = new BuildQueue();
    const built: string[] = [];
    queue.await(of('a'), () => built.push('one'), 0);
    const job = queue.begin(0);
    queue.await(of('a'), () => built.push('two'), 0);
    if (job === null) throw new Error('nothing is due');
    queue.add(of('a')).damaged.add('s1');
    queue.end(job);
    expect([built, queue.waiting]).to.deep.equal([['one', 'two'], 1]);
    queue.begin(0)?.damaged.clear();
    queue.end(job);
    expect([queue.waiting, queue.begin(0)]).to.deep.equal([0, null]);
  });

  it('tries what failed later and later, sooner while a query waits, and tells news of a fault once', () => {
    const queue = new BuildQueue();
    queue.add(of('a'));
    let now = 0;
    const waits: number[] = [];
    const news: boolean[] = [];
    const fail = (fault: string) => {
      const job = queue.begin(now);
      if (job === null) throw new Error('nothing is due');
      news.push(queue.fail(job, fault, now));
      waits.push((queue.dueAt ?? 0) - now);
      expect(queue.begin(now)).to.equal(null);
      now = queue.dueAt ?? 0;
    };
    for (const fault of ['lost', 'lost', 'full', 'full', 'full', 'full', 'full', 'full']) fail(fault);
    expect(waits).to.deep.equal([1, 2, 4, 8, 16, 32, 60, 60].map((seconds) => seconds * 1_000));
    expect(news.slice(0, 4)).to.deep.equal([true, false, true, false]);
    queue.await(of('a'), () => undefined, now);
    fail('full');
    expect(waits.at(-1)).to.equal(4_000);
  });

  it('brings a waiting query its turn soon, however often the partition failed before', () => {
    const queue = new BuildQueue();
    const job = queue.add(of('a'));
    for (let times = 0, now = 0; times < 7; times++, now = queue.dueAt ?? 0) {
      queue.begin(now);
      queue.fail(job, 'lost', now);
    }
    const now = (queue.dueAt ?? 0) - 50_000;
    queue.await(of('a'), () => undefined, now);
    expect(queue.dueAt).to.equal(now + 1_000);
  });

  it('looks again at what another process builds', () => {
    const queue = new BuildQueue();
    queue.add(of('a'));
    const job = queue.begin(5);
    if (job) queue.delay(job, 5);
    expect([queue.begin(5), queue.dueAt]).to.deep.equal([null, 1_005]);
    expect(queue.begin(1_005)).to.equal(job);
  });
});
