/** What is read ahead comes whole and in order, its fault at its turn, and its source always ends. */
import { expect } from 'chai';
import { readAhead } from '../../../../../../services/shared/storage/columns/build/read-ahead.ts';
import { rejection } from '../../../../../support/rejection.ts';

const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('reading ahead', () => {
  let begun: number[];
  let ended: boolean;
  beforeEach(() => {
    begun = [];
    ended = false;
  });
  async function* source(count: number, fault?: Error) {
    try {
      for (let i = 0; i < count; i++) {
        begun.push(i);
        await turn();
        yield i;
      }
      if (fault) throw fault;
    } finally {
      ended = true;
    }
  }

  it('gives all in order, and begins the next while one is worked on', async () => {
    const seen: number[] = [];
    for await (const value of readAhead(source(4))) {
      await turn();
      expect(begun).to.include(Math.min(value + 1, 3));
      expect(begun).to.not.include(value + 2);
      seen.push(value);
    }
    expect(seen).to.deep.equal([0, 1, 2, 3]);
    expect(ended).to.equal(true);
    for await (const _ of readAhead(source(0))) expect.fail('there is nothing');
  });

  it('tells a fault after what came before it', async () => {
    const seen: number[] = [];
    const read = async () => {
      for await (const value of readAhead(source(2, new Error('the server is gone')))) {
        await turn();
        await turn();
        seen.push(value);
      }
    };
    expect(await rejection(read())).to.have.property('message', 'the server is gone');
    expect(seen).to.deep.equal([0, 1]);
  });

  it('ends its source when it is left early, without waiting for it', async () => {
    let answer = (): void => undefined;
    async function* slow() {
      try {
        yield 1;
        await new Promise<void>((resolve) => {
          answer = resolve;
        });
        yield 2;
      } finally {
        ended = true;
      }
    }
    for await (const _ of readAhead(slow())) break;
    expect(ended).to.equal(false);
    answer();
    await turn();
    expect(ended).to.equal(true);
  });
});
