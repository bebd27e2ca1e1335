/** Equal requests at once: who is asked for, who waits, and how a caller is judged after a wait. */
import { EventEmitter } from 'node:events';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect } from 'chai';
import { createAnswerByStore } from '../../../plugins/cache/answer-by-store.ts';
import { AnswerStore } from '../../../plugins/cache/answer-store.ts';
import { wishOf } from '../../../plugins/cache/cache-control.ts';
import type { GatewayRequest, GatewayResponse } from '../../../plugins/kit/request-context.ts';
import { ApiError } from '../../../services/shared/errors/api-error.ts';

type Judge = (req: GatewayRequest, res: GatewayResponse, next: (fault?: unknown) => void) => void;

describe('the answer by a store', () => {
  let nowMs: number;
  let store: AnswerStore;
  let ask: (options?: { judge?: Judge; key?: string }) => Visit;

  interface Visit {
    readonly req: GatewayRequest & { key: string };
    readonly res: GatewayResponse;
    /** What it was handed on with; empty while it waits. */
    readonly handed: unknown[];
    answer(status: number, body?: string, headers?: Record<string, string>): void;
    leave(): void;
  }
  beforeEach(() => {
    nowMs = 1_000;
    store = new AnswerStore(1_000_000);
    const answerByStore = createAnswerByStore({
      store,
      limits: { seconds: 60, staleSeconds: 0, maxAnswerBytes: 1_000 },
      clock: { now: () => nowMs },
      askedOf: (req) => ({
        ...{ req, key: (req as GatewayRequest & { key: string }).key, address: '/a' },
        ...{ sent: () => [], askedAtMs: nowMs },
      }),
      count: () => undefined,
    });
    ask = ({ judge, key = 'k' } = {}) => {
      const context = {
        judge: judge ?? null,
        refusal: null,
        recorder: null,
        replay: null,
        requestEdits: null,
      };
      const req = { key, headers: {}, socket: {}, context } as unknown as Visit['req'];
      const res = Object.assign(new EventEmitter(), { closed: false }) as unknown as GatewayResponse;
      const handed: unknown[] = [];
      answerByStore(req, res, (fault?: unknown) => void handed.push(fault), wishOf('GET', {}));
      return {
        ...{ req, res, handed },
        answer(status, body = '', headers = {}) {
          const { recorder } = req.context;
          recorder?.begin(status, headers);
          recorder?.data(Buffer.from(body));
          recorder?.end();
        },
        leave() {
          Object.assign(res, { closed: true });
          res.emit('close');
        },
      };
    };
  });
  /** Those that ask the backend. */
  const asking = (visits: readonly Visit[]) =>
    visits.flatMap(({ req, handed }, index) =>
      handed.length > 0 && req.context.replay === null ? [index] : [],
    );

  it('has one ask after another when each leaves, fails, or is made old by a purge', async () => {
    const visits = Array.from({ length: 6 }, () => ask());
    expect(asking(visits)).to.deep.equal([0]);
    visits[2]?.leave();
    visits[0]?.leave();
    await nextTurn();
    expect(asking(visits)).to.deep.equal([0, 1]);
    visits[1]?.answer(503);
    await nextTurn();
    expect(asking(visits)).to.deep.equal([0, 1, 3]);
    store.clear();
    visits[3]?.answer(200, 'old');
    await nextTurn();
    expect(asking(visits)).to.deep.equal([0, 1, 3, 4]);
    const last = ask();
    expect(last.handed).to.have.length(0);
    visits[4]?.answer(200, 'kept');
    expect([visits[5], last].map((visit) => visit?.req.context.replay?.body.toString())).to.deep.equal([
      'kept',
      'kept',
    ]);
  });

  it('lets all ask at once, and later ones too, when the answer is for one request', () => {
    const visits = Array.from({ length: 3 }, () => ask());
    visits[0]?.answer(200, 'own', { 'cache-control': 'private' });
    expect(asking(visits)).to.deep.equal([0, 1, 2]);
    expect(asking([ask()])).to.deep.equal([0]);
  });

  it('judges a caller anew after its wait', () => {
    const fault = new ApiError('INVALID_API_KEY');
    const first = ask();
    let judged = 0;
    const good = ask({
      judge: (_req, _res, next) => {
        judged++;
        next();
      },
    });
    const refused = ask({
      judge: (req, _res, next) => {
        Object.assign(req.context, { refusal: fault });
        next();
      },
    });
    const failed = ask({ judge: (_req, _res, next) => next(fault) });
    const changed = ask({
      judge: (req, _res, next) => {
        Object.assign(req, { key: 'other' });
        next();
      },
    });
    nowMs += 10;
    first.answer(200, 'kept');
    expect([judged, good.req.context.replay?.body.toString()]).to.deep.equal([1, 'kept']);
    expect([refused.handed, failed.handed]).to.deep.equal([[fault], [fault]]);
    expect(changed.handed[0]).to.include({ code: new ApiError('SERVICE_UNAVAILABLE').code });
    expect(changed.req.context.replay).to.equal(null);
  });

  it('passes the turn on when the next one is refused', async () => {
    const visits = [
      ask(),
      ask({ judge: (_req, _res, next) => next(new ApiError('INVALID_API_KEY')) }),
      ask(),
    ];
    nowMs += 10;
    visits[0]?.leave();
    await nextTurn();
    await nextTurn();
    expect(visits[1]?.handed).to.have.length(1);
    expect(visits[1]?.req.context.recorder).to.equal(null);
    expect(visits[2]?.req.context.recorder).to.not.equal(null);
  });
});
