/** Equal requests at the same time: who asks, who waits, and who asks next. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect } from 'chai';
import { type Flight, Flights } from '../../../plugins/cache/flights.ts';

describe('flights', () => {
  let flights: Flights;
  let ended: { readonly name: string; readonly turn: Flight | null }[];
  beforeEach(() => {
    flights = new Flights();
    ended = [];
  });
  const wait = (name: string, milliseconds = 600_000) =>
    flights.find('k')?.wait(milliseconds, (turn) => void ended.push({ name, turn }));
  const names = () => ended.map((each) => `${each.name}${each.turn === null ? '' : ' asks'}`);

  it('releases all at once when the answer is kept, or is for one request each', () => {
    for (const landing of ['kept', 'alone'] as const) {
      ended = [];
      const flight = flights.begin('k');
      wait('a');
      wait('b');
      flight.land(landing);
      expect(names(), landing).to.deep.equal(['a', 'b']);
      expect(flights.size).to.equal(0);
    }
  });

  it('lets one ask after another when those before got none', async () => {
    const flight = flights.begin('k');
    for (const name of ['a', 'b', 'c']) wait(name);
    flight.land('left');
    await nextTurn();
    expect(names()).to.deep.equal(['a asks']);
    wait('d');
    ended[0]?.turn?.land('left');
    await nextTurn();
    expect(names()).to.deep.equal(['a asks', 'b asks']);
    ended[1]?.turn?.land('kept');
    expect(names()).to.deep.equal(['a asks', 'b asks', 'c', 'd']);
    expect(flights.size).to.equal(0);
  });

  it('passes by those that left, and ends when nobody waits', async () => {
    const flight = flights.begin('k');
    const leave = wait('a');
    wait('b');
    leave?.();
    flight.land('left');
    await nextTurn();
    expect(names()).to.deep.equal(['b asks']);
    ended[0]?.turn?.land('left');
    expect(flights.size).to.equal(0);
  });

  it('ends a wait that takes too long', async () => {
    flights.begin('k');
    // The timer of the wait holds no process.
    const alive = setInterval(() => undefined, 1_000);
    const turn = await new Promise<Flight | null>((resolve) => flights.find('k')?.wait(1, resolve));
    clearInterval(alive);
    expect(turn).to.equal(null);
  });
});
