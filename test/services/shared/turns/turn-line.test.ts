/** The line that all turns are taken in: who starts at once, who waits, and who starts next. */
import { expect } from 'chai';
import { type Turn, TurnLine, type TurnRules } from '../../../../services/shared/turns/turn-line.ts';

interface NamedTurn extends Turn {
  readonly name: string;
}

describe('a line of turns', () => {
  let started: string[];
  beforeEach(() => {
    started = [];
  });

  const named = (name: string): NamedTurn => ({ name, start: () => started.push(name) });
  function lineOf(rules: TurnRules<NamedTurn>, ...names: string[]) {
    const line = new TurnLine<NamedTurn>(rules);
    const turns = names.map(named);
    for (const turn of turns) if (!line.enter(turn)) line.wait(turn);
    return { line, turns: turns as [NamedTurn, NamedTurn, NamedTurn] };
  }
  const namesOf = (turns: Iterable<NamedTurn>) => [...turns].map(({ name }) => name);

  it('starts what may start, and the others in their order as turns end', () => {
    const rules = { mayStart: () => line.running.size < 2 };
    const line = new TurnLine<NamedTurn>(rules);
    const turns = ['a', 'b', 'c', 'd'].map(named);
    for (const turn of turns) if (!line.enter(turn)) line.wait(turn);
    expect([started, namesOf(line.waiting)]).to.deep.equal([
      ['a', 'b'],
      ['c', 'd'],
    ]);
    for (const turn of turns) line.end(turn);
    expect(started).to.deep.equal(['a', 'b', 'c', 'd']);
    expect([line.running.size, line.waiting.length]).to.deep.equal([0, 0]);
  });

  it('starts first who has the least share, and of equals who came first', () => {
    let isOpen = false;
    const shares: Record<string, number> = { a: 2, b: 1, c: 1 };
    const { line } = lineOf(
      { mayStart: () => isOpen, shareOf: ({ name }) => shares[name] ?? 0 },
      'a',
      'b',
      'c',
    );
    expect(started).to.deep.equal([]);
    isOpen = true;
    line.startWaiting();
    expect(started).to.deep.equal(['b', 'c', 'a']);
  });

  it('passes over those that may not start yet, and asks them again', () => {
    const kept = new Set(['a']);
    const { line, turns } = lineOf({ mayStart: ({ name }) => !kept.has(name) }, 'a', 'b', 'c');
    expect([started, namesOf(line.waiting)]).to.deep.equal([['b', 'c'], ['a']]);
    line.end(turns[1]);
    expect(started).to.deep.equal(['b', 'c']);
    kept.clear();
    line.end(turns[2]);
    expect(started).to.deep.equal(['b', 'c', 'a']);
  });

  it('never starts what has left, and takes leave of what runs for nothing', () => {
    let isOpen = true;
    const { line, turns } = lineOf({ mayStart: () => isOpen }, 'a');
    isOpen = false;
    const gone = named('gone');
    line.wait(gone);
    line.leave(gone);
    line.leave(turns[0]);
    isOpen = true;
    line.startWaiting();
    expect([started, namesOf(line.running)]).to.deep.equal([['a'], ['a']]);
  });

  it('goes on when a turn ends while it starts', () => {
    const line: TurnLine<NamedTurn> = new TurnLine<NamedTurn>({
      mayStart: (): boolean => line.running.size < 1,
    });
    const first = named('first');
    line.enter(first);
    for (const name of ['b', 'c', 'd']) {
      const brief: NamedTurn = {
        name,
        start: () => {
          started.push(name);
          line.end(brief);
        },
      };
      line.wait(brief);
    }
    line.end(first);
    expect(started).to.deep.equal(['first', 'b', 'c', 'd']);
    expect([line.running.size, line.waiting.length]).to.deep.equal([0, 0]);
  });
});
