/** What every transport to a service guarantees, run on every adapter. */
import { PassThrough, Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import type { Dispatcher } from 'undici';
import type { Transport, TransportBounds } from '../../plugins/proxy/transport.ts';
import type { ServiceApp } from '../../services/shared/http/create-service-app.ts';
import { IDENTITY_HEADER } from '../../services/shared/identity/identity-token.ts';
import { eventually } from '../support/eventually.ts';
import {
  createTransportService,
  LONG_PIECES,
  RecordingHandler,
  type Seen,
  TOKEN,
} from '../support/transport-service.ts';

export interface TransportFixture {
  readonly transport: Transport;
  close(): Promise<void>;
}

interface Asked {
  readonly headers?: readonly string[];
  readonly body?: Dispatcher.DispatchOptions['body'];
  readonly handler?: RecordingHandler;
  readonly timeoutMs?: number;
}

const JSON_HEADERS = ['content-type', 'application/json'];

/** `create` makes the transport to a service. */
export function transportContract(
  create: (app: ServiceApp, bounds: TransportBounds) => Promise<TransportFixture>,
): void {
  let fixture: TransportFixture;
  let seen: Seen;

  beforeEach(async () => {
    const service = createTransportService();
    seen = service.seen;
    fixture = await create(service.app, { connections: 2, timeoutMs: 15_000 });
  });
  afterEach(() => fixture.close());

  function send(method: string, path: string, asked: Asked = {}): RecordingHandler {
    const { headers = [], body = null, handler = new RecordingHandler(), timeoutMs = 15_000 } = asked;
    fixture.transport.dispatch(
      {
        method: method as Dispatcher.HttpMethod,
        path,
        headers: ['X-Request-Id', 'r1', IDENTITY_HEADER, TOKEN, ...headers],
        body,
        headersTimeout: timeoutMs,
        bodyTimeout: timeoutMs,
        reset: false,
      },
      handler,
    );
    return handler;
  }
  const ask = (method: string, path: string, asked?: Asked) => send(method, path, asked).over;
  const echo = (body: string | Buffer | null, headers = JSON_HEADERS) =>
    ask('POST', '/echo', { headers, body: typeof body === 'string' ? Buffer.from(body) : body });

  describe('an answer', () => {
    it('arrives with status, reason, headers and body', async () => {
      const { status, statusMessage, headers, text, events } = await ask('GET', '/named/a%20b');
      expect([status, statusMessage]).to.deep.equal([200, 'OK']);
      expect(JSON.parse(text)).to.deep.equal({ params: { name: 'a b' }, method: 'GET', text: 'ü €' });
      expect(headers).to.deep.equal({
        etag: '"1"',
        location: '/named/e',
        'set-cookie': headers['set-cookie'],
        'content-type': 'application/json; charset=utf-8',
        'content-length': `${Buffer.byteLength(text)}`,
      });
      expect([headers['set-cookie']].flat()).to.deep.equal(['a=b']);
      expect(events).to.deep.equal(['start', '200', 'end']);
    });

    it('has bytes as they are, an empty one a length of 0, and 204 none', async () => {
      expect(Buffer.concat((await ask('GET', '/bytes')).chunks)).to.deep.equal(
        Buffer.from([0, 255, 128, 10]),
      );
      expect((await ask('GET', '/nothing')).headers).to.deep.equal({
        location: 'https://example.com/',
        'content-length': '0',
      });
      const { status, headers } = await ask('DELETE', '/named/a');
      expect([status, headers]).to.deep.equal([204, {}]);
    });

    it('to HEAD is the head of that to GET', async () => {
      for (const path of ['/named/a', '/bytes', '/lines', '/nothing', '/fault', '/absent']) {
        const [head, get] = [await ask('HEAD', path), await ask('GET', path)];
        expect([head.status, head.text], path).to.deep.equal([get.status, '']);
        expect({ ...get.headers, ...head.headers }, path).to.have.all.keys(Object.keys(get.headers));
        expect(head.events, path).to.deep.equal(['start', `${get.status}`, 'end']);
      }
      await eventually(() => seen.ended).equals(2);
    });

    it('is 304 for a client that has it', async () => {
      const has = await ask('GET', '/named/a', { headers: ['If-None-Match', 'W/"1"'] });
      expect([has.status, has.text, has.headers.etag]).to.deep.equal([304, '', '"1"']);
      expect(has.headers).not.to.have.property('content-type');
      expect((await ask('GET', '/named/a', { headers: ['If-None-Match', '"2"'] })).status).to.equal(200);
    });

    it('tells an error by its code: of a path, a method, an identity, a handler', async () => {
      const told = async (method: string, path: string, headers: string[] = []) => {
        const answer = await ask(method, path, { headers });
        return [answer.status, answer.statusMessage, JSON.parse(answer.text).requestId, answer.headers.allow];
      };
      expect(await told('GET', '/absent')).to.deep.equal([404, 'NOT_FOUND', 'r1', undefined]);
      expect(await told('GET', '/Bytes')).to.deep.equal([404, 'NOT_FOUND', 'r1', undefined]);
      expect(await told('GET', '/bytes/')).to.deep.equal([404, 'NOT_FOUND', 'r1', undefined]);
      expect(await told('GET', '/named/%zz')).to.deep.equal([404, 'NOT_FOUND', 'r1', undefined]);
      const allow = 'GET, HEAD, DELETE';
      expect(await told('POST', '/named/a')).to.deep.equal([405, 'METHOD_NOT_ALLOWED', 'r1', allow]);
      expect(await told('OPTIONS', '/named/a')).to.deep.equal([405, 'METHOD_NOT_ALLOWED', 'r1', allow]);
      expect(await told('GET', '/fault')).to.deep.equal([500, 'INTERNAL_ERROR', 'r1', undefined]);
      expect(await told('GET', '/bad-header')).to.deep.equal([500, 'INTERNAL_ERROR', 'r1', undefined]);
      // Two tokens are none.
      const forged = await ask('GET', '/bytes', { headers: [IDENTITY_HEADER, 'other'] });
      expect([forged.status, forged.headers['www-authenticate']]).to.deep.equal([401, 'Bearer']);
      expect(seen.begun).to.equal(2);
    });
  });

  describe('a body', () => {
    const value = { text: 'ü', list: [1, 2] };
    const json = JSON.stringify(value);

    it('is read as JSON, whatever its type, once', async () => {
      for (const headers of [JSON_HEADERS, ['content-type', 'text/plain; charset=UTF-8'], []]) {
        const { status, text } = await echo(json, [...headers, 'x-twice', '1', 'X-Twice', '2']);
        expect([status, JSON.parse(text)]).to.deep.equal([
          201,
          { body: value, params: {}, receivedBytes: Buffer.byteLength(json), twice: '1, 2' },
        ]);
      }
      const marked = await echo(Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from(json)]));
      expect(JSON.parse(marked.text).body).to.deep.equal(value);
    });

    it('is read inflated, by the length of what was inflated', async () => {
      const { text } = await echo(gzipSync(json), [...JSON_HEADERS, 'content-encoding', 'gzip']);
      expect(JSON.parse(text)).to.include({ receivedBytes: Buffer.byteLength(json) });
    });

    it('that is empty, or missing, is an empty object', async () => {
      for (const body of ['', null]) expect(JSON.parse((await echo(body)).text).body).to.deep.equal({});
    });

    it('that is none is refused, with the reason', async () => {
      const refused = async (body: string | Buffer, headers?: string[]) => {
        const { status, text } = await echo(body, headers);
        return [status, JSON.parse(text).code];
      };
      const encoded = [...JSON_HEADERS, 'content-encoding', 'gzip'];
      expect(await refused('{"a":')).to.deep.equal([400, 'VALIDATION_ERROR']);
      expect(await refused('['.repeat(70) + ']'.repeat(70))).to.deep.equal([400, 'VALIDATION_ERROR']);
      expect(await refused('no gzip', encoded)).to.deep.equal([400, 'VALIDATION_ERROR']);
      expect(await refused(`"${'x'.repeat(300_000)}"`)).to.deep.equal([413, 'PAYLOAD_TOO_LARGE']);
      expect(await refused(json, ['content-type', 'application/json; charset=koi8-r'])).to.deep.equal([
        415,
        'UNSUPPORTED_MEDIA_TYPE',
      ]);
      expect(await refused(json, [...JSON_HEADERS, 'content-encoding', 'odd'])).to.deep.equal([
        415,
        'UNSUPPORTED_MEDIA_TYPE',
      ]);
    });

    it('comes as a stream, of a length that is announced or not', async () => {
      const large = JSON.stringify('y'.repeat(200_000));
      for (const headers of [[], ['content-length', `${large.length}`]]) {
        const chunks = large.match(/.{1,50000}/g) ?? [];
        const body = Readable.from(chunks.map((chunk) => Buffer.from(chunk)));
        const { status, text } = await ask('POST', '/echo', { headers: [...JSON_HEADERS, ...headers], body });
        expect([status, JSON.parse(text).receivedBytes]).to.deep.equal([201, large.length]);
      }
    });

    it('that ends early, or fails, ends the exchange, and no handler sees it', async () => {
      const body = new PassThrough();
      const handler = send('POST', '/echo', { headers: JSON_HEADERS, body });
      body.write('{"half":');
      await eventually(() => handler.events).equals(['start']);
      const fault = new Error('the client broke off');
      body.destroy(fault);
      expect((await handler.over).fault).to.equal(fault);
      expect(seen.begun).to.equal(0);
    });
  });

  describe('a streamed answer', () => {
    it('arrives piece by piece, without a length', async () => {
      const { headers, text } = await ask('GET', '/lines');
      expect([headers, text]).to.deep.equal([
        { 'content-type': 'text/plain' },
        'piece 0\npiece 1\npiece 2\n',
      ]);
      expect((await ask('GET', '/no-lines')).text).to.equal('');
    });

    it('of which the first piece fails is an error; a later one breaks it off, or is told in it', async () => {
      expect((await ask('GET', '/fails-first')).status).to.equal(500);
      const broken = await ask('GET', '/fails-later');
      expect([broken.status, broken.fault?.code]).to.deep.equal([200, 'UND_ERR_SOCKET']);
      expect((await ask('GET', '/fault-piece')).text).to.equal('piece 0\npiece 1\n! INTERNAL_ERROR\n');
      await eventually(() => seen.ended).equals(3);
    });

    it('is made as fast as it is read', async () => {
      const handler = new RecordingHandler();
      handler.pauses = true;
      send('GET', '/long', { handler });
      let before = -1;
      // What is on its way still arrives; then nothing more is made.
      await eventually(() => {
        const hasStopped = seen.pieces === before && seen.pieces > 0;
        before = seen.pieces;
        return hasStopped;
      }).equals(true);
      expect(seen.pieces).to.be.below(LONG_PIECES / 2);
      handler.controller?.resume();
      await handler.over;
      expect(handler.text.length).to.equal(LONG_PIECES * 65_536);
    });

    it('is made no further when its reader leaves', async () => {
      const handler = new RecordingHandler();
      handler.pauses = true;
      send('GET', '/long', { handler });
      await eventually(() => handler.chunks.length > 0).equals(true);
      const reason = new Error('the client left');
      handler.controller?.abort(reason);
      expect((await handler.over).fault).to.equal(reason);
      await eventually(() => seen.ended).equals(1);
      expect(seen.pieces).to.be.below(LONG_PIECES);
    });
  });

  describe('an exchange', () => {
    it('tells the handler of work that begins, and the service of a caller that leaves', async () => {
      const handler = send('GET', '/waits');
      await eventually(() => handler.events).equals(['start', '102']);
      handler.controller?.abort(new Error('the client left'));
      expect((await handler.over).events).to.deep.equal(['start', '102', 'fault']);
      await eventually(() => seen.left).equals(1);
    });

    it('fails when the answer does not begin, or pauses, for too long, and the service learns of it', async () => {
      const [late, paused] = await Promise.all([
        ask('GET', '/waits', { timeoutMs: 1_000 }),
        ask('GET', '/pauses', { timeoutMs: 1_000 }),
      ]);
      expect(late.fault?.code).to.match(/^UND_ERR_(?:HEADERS|BODY)_TIMEOUT$/);
      expect([paused.status, paused.fault?.code]).to.deep.equal([200, 'UND_ERR_BODY_TIMEOUT']);
      await eventually(() => seen.left).equals(1);
    });

    it('fails with what its handler throws', async () => {
      const handler = new RecordingHandler();
      const fault = new Error('not for this client');
      handler.onHead = () => {
        throw fault;
      };
      expect((await ask('GET', '/named/a', { handler })).fault).to.equal(fault);
      expect((await ask('GET', '/bytes')).status).to.equal(200);
    });

    it('fails when the transport is destroyed, and further ones', async () => {
      const under = [send('GET', '/waits'), send('GET', '/waits')];
      await eventually(() => seen.begun).equals(2);
      await fixture.transport.destroy();
      for (const handler of under) expect((await handler.over).fault).to.be.instanceOf(Error);
      await eventually(() => seen.left).equals(2);
      expect((await ask('GET', '/bytes')).fault?.code).to.equal('UND_ERR_DESTROYED');
    });
  });
}
