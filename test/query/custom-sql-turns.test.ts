/** Turns of custom queries: one of an organization, two on the machine, five that wait, and no longer than their time. */
import { expect } from 'chai';
import { Turns } from '../../services/query/custom/turns.ts';
import { rejection } from '../support/rejection.ts';

const LIMITS = { running: 2, waitingPerOrganization: 5, maxWaitMs: 60_000 };
const never = () => new AbortController().signal;
/** Lets what is already settled be seen. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('the turns of custom queries', () => {
  it('let one query of an organization run, and two in all', async () => {
    const turns = new Turns(LIMITS);
    const started: string[] = [];
    const take = (id: string) =>
      turns.take(id, never()).then((end) => {
        started.push(id);
        return end;
      });
    const a = take('a');
    void take('a');
    const b = take('b');
    void take('c');
    await settled();
    expect(started).to.deep.equal(['a', 'b']);
    (await b)();
    await settled();
    expect(started).to.deep.equal(['a', 'b', 'c']);
    (await a)();
    await settled();
    expect(started).to.deep.equal(['a', 'b', 'c', 'a']);
  });

  it('send the sixth that would wait away with 503 and Retry-After, and only those of its organization', async () => {
    const turns = new Turns(LIMITS);
    await turns.take('a', never());
    for (let i = 0; i < 5; i++) void turns.take('a', never());
    const fault = await rejection(turns.take('a', never()));
    expect(fault).to.include({ kind: 'SERVICE_UNAVAILABLE', status: 503 });
    expect(fault).to.have.nested.property('headers.Retry-After');
    await turns.take('b', never());
  });

  it('send one that waits too long away with 503', async () => {
    const turns = new Turns({ ...LIMITS, maxWaitMs: 1 });
    await turns.take('a', never());
    expect(await rejection(turns.take('a', never()))).to.include({ status: 503 });
  });

  it('forget one that leaves while it waits', async () => {
    const turns = new Turns(LIMITS);
    const end = await turns.take('a', never());
    const leaving = new AbortController();
    const left = turns.take('a', leaving.signal);
    const next = turns.take('a', never());
    leaving.abort(new Error('left'));
    expect(await rejection(left)).to.have.property('message', 'left');
    end();
    (await next)();
  });

  it('end once, however often they are ended', async () => {
    const turns = new Turns(LIMITS);
    const end = await turns.take('a', never());
    const second = turns.take('a', never());
    end();
    end();
    await second;
    let hasStarted = false;
    void turns.take('a', never()).then(() => {
      hasStarted = true;
    });
    await settled();
    expect(hasStarted).to.equal(false);
  });
});
