/** The line before a transport: who may begin, in which order, and who leaves without a turn. */
import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { expect } from 'chai';
import type { RequestContext } from '../../../plugins/kit/request-context.ts';
import { createHttpTransport, createKeptTransport } from '../../../plugins/proxy/http-transport.ts';
import type { Transport, TransportBounds } from '../../../plugins/proxy/transport.ts';
import { type Waiter, WaitingLine } from '../../../plugins/proxy/waiting-line.ts';
import { eventually } from '../../support/eventually.ts';
import { startRawBackend } from '../../support/raw-backend.ts';
import { RecordingHandler } from '../../support/transport-service.ts';

const LONG_MS = 60_000;

describe('a line before a transport', () => {
  let isDestroyed: boolean;
  let line: WaitingLine;
  /** What became of the waiters, by their names. */
  let events: string[];

  beforeEach(() => {
    isDestroyed = false;
    events = [];
    const transport = {
      async destroy() {
        isDestroyed = true;
      },
    } as Transport;
    line = new WaitingLine(transport, 2);
  });

  /** The client that waits for an answer, as far as a line knows it. */
  class Client extends EventEmitter {
    destroyed = false;

    leave(): void {
      this.destroyed = true;
      this.emit('close');
    }
  }

  function enter(
    name: string | number,
    waitsMs = LONG_MS,
    client = new Client(),
    organizationId: string | null = 'org_main',
    address = '127.0.0.1',
  ): Client {
    const waiter: Waiter = {
      begin: () => events.push(`${name} begins`),
      turnAway: () => events.push(`${name} is turned away`),
    };
    const context = { principal: { caller: { organizationId } }, address } as unknown as RequestContext;
    line.enter(waiter, context, client as unknown as ServerResponse, performance.now() + waitsMs);
    return client;
  }
  const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

  it('lets as many begin as may be under way, and the others in their order', async () => {
    for (const name of ['a', 'b', 'c', 'd', 'e']) enter(name);
    expect(events).to.deep.equal(['a begins', 'b begins']);
    line.leave();
    expect(events, 'the transport is not ready yet').to.have.length(2);
    await nextTurn();
    expect(events.slice(2)).to.deep.equal(['c begins']);
    line.leave();
    line.leave();
    await nextTurn();
    expect(events.slice(3)).to.deep.equal(['d begins', 'e begins']);
    line.leave();
    line.leave();
    await nextTurn();
    enter('f');
    expect(events.slice(5)).to.deep.equal(['f begins']);
  });

  it('lets callers begin by turns, however many requests of one wait, and each in its order', async () => {
    const enterOf = (caller: string, ...names: string[]) => {
      for (const name of names) enter(name, LONG_MS, new Client(), caller);
    };
    enterOf('org_flood', ...['a', 'b', 'c', 'd', 'e', 'f']);
    enterOf('org_calm', 'calm 1', 'calm 2');
    enter('other', LONG_MS, new Client(), null, '192.0.2.1');
    const order: string[] = [];
    while (order.length < 7) {
      line.leave();
      await nextTurn();
      order.push((events.at(-1) ?? '').replace(' begins', ''));
    }
    expect(order).to.deep.equal(['c', 'calm 1', 'other', 'd', 'calm 2', 'e', 'f']);
  });

  it('lets nobody pass who waits, even if there is room at this instant', async () => {
    for (const name of ['a', 'b', 'c']) enter(name);
    line.leave();
    enter('d');
    await nextTurn();
    expect(events.slice(2)).to.deep.equal(['c begins']);
  });

  it('turns away whose time is over, whoever stands before it', async () => {
    for (const name of ['a', 'b', 'patient']) enter(name);
    const client = enter('hasty', 1_000);
    expect(client.listenerCount('close')).to.equal(1);
    const startedMs = performance.now();
    await eventually(() => events.slice(2)).equals(['hasty is turned away']);
    expect(performance.now() - startedMs).to.be.above(900);
    expect(client.listenerCount('close')).to.equal(0);
  });

  it('gives no turn to who waited too long, if nobody looked since', async () => {
    for (const name of ['a', 'b']) enter(name);
    enter('late', 0);
    enter('c');
    line.leave();
    await nextTurn();
    expect(events.slice(2)).to.deep.equal(['late is turned away', 'c begins']);
  });

  it('turns away at once whose client leaves, wherever it stands, or has left', async () => {
    const gone = new Client();
    gone.leave();
    const [, , first, , middle, , last] = Array.from({ length: 7 }, (_, index) => enter(index));
    for (const client of [middle, last, first]) client?.leave();
    enter('gone', LONG_MS, gone);
    const away = [4, 6, 2, 'gone'].map((name) => `${name} is turned away`);
    expect(events.slice(2)).to.deep.equal(away);
    enter(7);
    for (let count = 0; count < 3; count++) {
      line.leave();
      await nextTurn();
    }
    expect(events.slice(6)).to.deep.equal(['3 begins', '5 begins', '7 begins']);
    expect(first?.listenerCount('close')).to.equal(0);
  });

  it('turns all away when it ends, then its transport does, which fails whoever comes later', async () => {
    for (const name of ['a', 'b', 'c', 'd']) enter(name);
    await line.destroy();
    expect([isDestroyed, events.slice(2)]).to.deep.equal([true, ['c is turned away', 'd is turned away']]);
    enter('e');
    expect(events.slice(4)).to.deep.equal(['e begins']);
  });

  it('takes no squares of time for many', async () => {
    const count = 100_000;
    const startedMs = performance.now();
    const clients = Array.from({ length: count }, (_, index) => enter(index));
    for (let index = 2; index < count; index += 2) clients[index]?.leave();
    for (let begun = 2; begun < count / 2; begun++) {
      line.leave();
      await undefined;
    }
    await nextTurn();
    expect(performance.now() - startedMs).to.be.below(5_000);
    expect(events).to.have.length(count - 1);
    expect(events.at(-1)).to.equal(`${count - 3} begins`);
    await line.destroy();
  });
});

const OK = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok';

const CLIENTS: Readonly<Record<string, (origin: string, bounds: TransportBounds) => Transport>> = {
  undici: (origin, bounds) => createHttpTransport(origin, null, bounds),
  "the gateway's own client": createKeptTransport,
};

for (const [client, create] of Object.entries(CLIENTS)) {
  describe(`a line before ${client}`, () => {
    it('has those who waited go by the connections of those before them, in their order', async () => {
      const [paths, sockets]: [string[], Socket[]] = [[], []];
      const backend = await startRawBackend((socket, asked) => {
        paths.push(asked.slice(4, asked.indexOf(' HTTP')));
        sockets.push(socket);
      });
      const line = new WaitingLine(create(backend.origin, { connections: 4, timeoutMs: 15_000 }), 4);
      const handlers = Array.from({ length: 12 }, (_, index) => {
        const handler = new RecordingHandler();
        const { onResponseEnd } = handler;
        handler.onResponseEnd = () => {
          line.leave();
          onResponseEnd.call(handler);
        };
        const begin = () =>
          line.transport.dispatch({ method: 'GET', path: `/${index}`, headers: [], body: null }, handler);
        const res = new EventEmitter() as unknown as ServerResponse;
        line.enter(
          { begin, turnAway: () => {} },
          { principal: null, address: '127.0.0.1' },
          res,
          performance.now() + LONG_MS,
        );
        return handler;
      });
      await eventually(() => sockets.length).equals(4);
      for (const index of handlers.keys()) {
        await eventually(() => sockets.length > index).equals(true);
        sockets[index]?.write(OK);
      }
      for (const { over } of handlers) expect((await over).text).to.equal('ok');
      expect(paths.slice(4)).to.deep.equal(['/4', '/5', '/6', '/7', '/8', '/9', '/10', '/11']);
      expect(backend.connections).to.equal(4);
      await line.destroy();
      await backend.close();
    });
  });
}
