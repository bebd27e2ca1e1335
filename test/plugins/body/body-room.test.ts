/** The memory of bodies: taken for what came and not for what was announced, bounded, and given back however a request ends. */
import { EventEmitter } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { BodyRoom, InflateTurns } from '../../../plugins/body/body-room.ts';
import { inflateLater } from '../../../plugins/body/inflate.ts';
import { readWhole, type WholeBody } from '../../../plugins/body/read-whole.ts';
import type { ApiError } from '../../../services/shared/errors/api-error.ts';
import { createMemoryDocumentStore } from '../../support/memory-document-store.ts';
import { createTestRuntime, testEndpoint, testRequest } from '../../support/policy-kit.ts';
import { rejection } from '../../support/rejection.ts';
import { createTestClock } from '../../support/test-clock.ts';

const KB = 1024;
const MOST = 2_048 * KB;

describe('the memory of bodies', () => {
  describe('that are read', () => {
    /** A body under way: what it came to, and what its sender does. */
    function reading(room: BodyRoom, length: number | null) {
      const req = Object.assign(new EventEmitter(), { complete: true, resume: () => {} });
      const results: WholeBody[] = [];
      readWhole(req as unknown as IncomingMessage, length, MOST, 60_000, room, (result) =>
        results.push(result),
      );
      return { req, results, send: (bytes: number) => req.emit('data', Buffer.alloc(bytes, 'x')) };
    }

    it('is taken for what came, whatever length was announced', () => {
      const room = new BodyRoom(100 * MOST);
      const bodies = Array.from({ length: 800 }, () => reading(room, MOST));
      for (const { send } of bodies) {
        send(10);
        send(10);
      }
      expect(room.used, '800 that announced 2 MB').to.equal(0);
      const [body] = bodies;
      body?.send(100 * KB);
      expect(room.used).to.be.within(100 * KB, 256 * KB);
      for (const { req } of bodies) req.emit('close');
      expect(room.used, 'when all have left').to.equal(0);
      expect(bodies.every(({ results }) => results.join() === 'left')).to.equal(true);
    });

    it('is no more than the body in the end, which comes as it was sent', () => {
      const room = new BodyRoom(MOST);
      for (const length of [MOST, null]) {
        const { req, results, send } = reading(room, length);
        for (let sent = 0; sent < MOST; sent += 32 * KB) send(32 * KB);
        expect(room.used).to.equal(MOST);
        req.emit('end');
        expect(results.map((result) => (result as Buffer).equals(Buffer.alloc(MOST, 'x')))).to.deep.equal([
          true,
        ]);
        expect((results[0] as Buffer).buffer.byteLength).to.equal(MOST);
        expect(room.used).to.equal(0);
      }
    });

    it('is refused where there is none, to large bodies only', () => {
      const room = new BodyRoom(MOST);
      expect(room.take(MOST)).to.equal(true);
      const small = reading(room, null);
      for (let sent = 0; sent < 64; sent++) small.send(KB);
      small.req.emit('end');
      expect((small.results[0] as Buffer).length).to.equal(64 * KB);
      const large = reading(room, MOST);
      for (let sent = 0; sent < 65; sent++) large.send(KB);
      expect(large.results).to.deep.equal(['no-room']);
      expect(room.used).to.equal(MOST);
    });
  });

  describe('that wait for their answer', () => {
    const on = (socket: Socket) => ({ socket }) as unknown as IncomingMessage;
    const response = () => new EventEmitter() as unknown as ServerResponse;

    it('is given back with the answer, once', () => {
      const room = new BodyRoom(100);
      const socket = new Socket();
      const res = response();
      expect(room.hold(60, on(socket), res)).to.equal(true);
      expect(room.hold(60, on(socket), response()), 'no room').to.equal(false);
      expect(room.used).to.equal(60);
      res.emit('close');
      socket.emit('close');
      expect(room.used).to.equal(0);
    });

    it('is given back with the connection by answers that waited behind another one', () => {
      const room = new BodyRoom(100);
      const socket = new Socket();
      for (let index = 0; index < 20; index++) room.hold(5, on(socket), response());
      expect(room.used).to.equal(100);
      socket.emit('close');
      expect(room.used).to.equal(0);
      socket.destroy();
      expect(room.hold(5, on(socket), response())).to.equal(true);
      expect(room.used, 'of a connection that is gone').to.equal(0);
    });
  });

  describe('that are inflated', () => {
    const clock = createTestClock();
    const runtime = createTestRuntime(createMemoryDocumentStore(clock), clock);
    const PLAIN = Buffer.alloc(MOST, ' ');
    const BOMB = gzipSync(PLAIN);

    function later(turns: InflateTurns, room = new BodyRoom(100 * MOST), body = BOMB) {
      const req = testRequest(runtime, testEndpoint({ cost: 'body' }));
      const res = new EventEmitter() as unknown as ServerResponse;
      const run = inflateLater(req, res, 'gzip', body, MOST, { room, turns });
      req.context.inflate = run;
      return { req, res, run };
    }

    it('is taken by as many at once as there are turns, the others wait in their order', async () => {
      const turns = new InflateTurns(2);
      const begun: number[] = [];
      const all = Array.from({ length: 6 }, (_, index) => {
        const { req, run } = later(turns);
        return run(() => begun.push(index) > 0).then((done) => ({ done, body: req.context.body }));
      });
      expect(begun).to.deep.equal([0, 1]);
      const results = await Promise.all(all);
      expect(begun).to.deep.equal([0, 1, 2, 3, 4, 5]);
      expect(results.every(({ done, body }) => done && body?.equals(PLAIN))).to.equal(true);
    });

    it('is not taken for what nobody wants any more when its turn comes, nor for who left', async () => {
      const turns = new InflateTurns(1);
      const first = later(turns);
      const unwanted = later(turns);
      const left = later(turns);
      const last = later(turns);
      const running = first.run(() => true);
      const answers = [unwanted.run(() => false), last.run(() => true)];
      void left.run(() => true);
      left.req.socket.destroy();
      expect(await running).to.equal(true);
      expect(await Promise.all(answers)).to.deep.equal([false, true]);
      expect([unwanted, left].map(({ req }) => req.context.body)).to.deep.equal([null, null]);
      expect(await unwanted.run(() => true), 'asked again').to.equal(true);
      expect(unwanted.req.context.inflate).to.equal(null);
    });

    it('is refused with 503 when too many wait or none is left, and given back with the answer', async () => {
      const turns = new InflateTurns(1);
      const room = new BodyRoom(2 * MOST);
      const waiting = Array.from({ length: 513 }, () => later(turns, room, gzipSync('{}')));
      const running = waiting.map(({ run }) => run(() => true));
      const busy = (await rejection(later(turns, room).run(() => true))) as ApiError;
      expect([busy.status, busy.headers['Retry-After']]).to.deep.equal([503, '1']);
      await Promise.all(running);
      for (const { res } of waiting) res.emit('close');
      const large = [later(turns, room), later(turns, room), later(turns, room)] as const;
      expect([await large[0].run(() => true), await large[1].run(() => true)]).to.deep.equal([true, true]);
      const full = (await rejection(large[2].run(() => true))) as ApiError;
      expect(full.status).to.equal(503);
      for (const { res } of large) res.emit('close');
      expect(room.used).to.equal(0);
    });

    it('waits bounded in bytes too', async () => {
      const turns = new InflateTurns(1);
      let leave = () => {};
      const begin = (end: () => void) => {
        leave = end;
      };
      expect([turns.enter(1, begin), turns.enter(16 * KB * KB, begin), turns.enter(1, begin)]).to.deep.equal([
        true,
        true,
        false,
      ]);
      leave();
      expect(turns.enter(1, begin)).to.equal(true);
    });
  });
});
