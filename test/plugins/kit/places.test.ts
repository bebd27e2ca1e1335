/** Places of requests under way: each is given back once, whatever ends first, and nothing is kept of who has none. */
import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { expect } from 'chai';
import fc from 'fast-check';
import { Places } from '../../../plugins/kit/places.ts';

class Ending extends EventEmitter {
  closed = false;
  destroyed = false;
}

const taken = (places: Places, caller: string, most: number, res = new Ending(), socket = new Ending()) =>
  places.take(caller, most, res as unknown as ServerResponse, socket as unknown as Socket);

describe('places', () => {
  it('are given up to the number, to each caller', () => {
    const places = new Places();
    expect([1, 2, 3].map(() => taken(places, 'a', 2))).to.deep.equal([true, true, false]);
    expect(taken(places, 'b', 2)).to.equal(true);
    expect([places.underWay('a'), places.underWay('b'), places.callers]).to.deep.equal([2, 1, 2]);
  });

  it('come back once, when answer or connection ends, in either order and both', () => {
    const endings: ((res: Ending, socket: Ending) => void)[] = [
      (res) => void res.emit('close'),
      (_res, socket) => void socket.emit('close'),
      (res, socket) => void [res.emit('close'), socket.emit('close')],
      (res, socket) => void [socket.emit('close'), res.emit('close')],
    ];
    for (const end of endings) {
      const places = new Places();
      const [res, socket] = [new Ending(), new Ending()];
      expect(taken(places, 'a', 2)).to.equal(true);
      expect(taken(places, 'a', 2, res, socket)).to.equal(true);
      end(res, socket);
      expect(places.underWay('a')).to.equal(1);
      expect([res.eventNames(), socket.eventNames()]).to.deep.equal([[], []]);
      expect([taken(places, 'a', 2), taken(places, 'a', 2)]).to.deep.equal([true, false]);
    }
  });

  it('watch a connection once, however many requests it carries, and as long as it has one', () => {
    const places = new Places();
    const socket = new Ending();
    const answers = Array.from({ length: 30 }, () => new Ending());
    for (const res of answers) expect(taken(places, 'a', 30, res, socket)).to.equal(true);
    expect(socket.listenerCount('close')).to.equal(1);
    answers[0]?.emit('close');
    expect([socket.listenerCount('close'), places.underWay('a')]).to.deep.equal([1, 29]);
    socket.emit('close');
    expect([socket.listenerCount('close'), places.underWay('a')]).to.deep.equal([0, 0]);
    expect(answers.flatMap((res) => res.eventNames())).to.deep.equal([]);
    expect(taken(places, 'a', 1, new Ending(), socket)).to.equal(true);
    expect(socket.listenerCount('close')).to.equal(1);
  });

  it('are not given to what has ended already', () => {
    const places = new Places();
    const ended = Object.assign(new Ending(), { closed: true });
    const gone = Object.assign(new Ending(), { destroyed: true });
    expect(taken(places, 'a', 2, ended)).to.equal(false);
    expect(taken(places, 'a', 2, new Ending(), gone)).to.equal(false);
    expect(places.callers).to.equal(0);
  });

  it('are never more than the number, and all free in the end, whatever the order', () => {
    const acts = fc.array(fc.tuple(fc.constantFrom('a', 'b'), fc.nat(20), fc.boolean()), { maxLength: 60 });
    fc.assert(
      fc.property(acts, fc.integer({ min: 1, max: 4 }), (steps, most) => {
        const places = new Places();
        const open: { caller: string; res: Ending; socket: Ending }[] = [];
        for (const [caller, which, isStart] of steps) {
          const at = open[which];
          if (isStart) {
            const [res, socket] = [new Ending(), new Ending()];
            const before = open.filter((one) => one.caller === caller).length;
            expect(taken(places, caller, most, res, socket)).to.equal(before < most);
            if (before < most) open.push({ caller, res, socket });
          } else if (at !== undefined) {
            (which % 2 === 0 ? at.res : at.socket).emit('close');
            open.splice(which, 1);
          }
          for (const each of ['a', 'b'])
            expect(places.underWay(each)).to.equal(open.filter((one) => one.caller === each).length);
        }
        for (const { res } of open) res.emit('close');
        expect(places.callers).to.equal(0);
      }),
    );
  });
});
