/** Random answers, most of them damaged, read by the gateway's own client and by Node's parser: it accepts nothing that Node refuses, and reads the same. */
import { type IncomingMessage, request } from 'node:http';
import type { Socket } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { expect } from 'chai';
import fc from 'fast-check';
import { createKeptTransport } from '../../plugins/proxy/http-transport.ts';
import { exchange, type RawBackend, startRawBackend } from './raw-backend.ts';

interface RawAnswer {
  readonly method: 'GET' | 'HEAD';
  readonly bytes: Buffer;
  /** Whether it was left as HTTP/1.1 is written. */
  readonly isWhole: boolean;
  /** Where the bytes are cut into pieces, as shares of their length. */
  readonly cuts: readonly number[];
}

interface Read {
  readonly status: number;
  readonly reason: string;
  /** Name, values joined. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const BOUNDS = { connections: 1, timeoutMs: 15_000 };

const text = (chars: string, most: number) =>
  fc.array(fc.constantFrom(...chars), { maxLength: most }).map((list) => list.join(''));
const field = fc
  .tuple(
    fc.constantFrom('X-A', 'x-b', 'Server', 'content-TYPE', 'X-A', 'Constructor', 'ETag', 'Date'),
    fc.constantFrom('', ' ', '  ', '\t'),
    text('ab1 ,;="/\u00ff', 12).map((value) => value.trim()),
    fc.constantFrom('', '', ' ', '\t '),
  )
  .map(([name, before, value, after]) => `${name}:${before}${value}${after}\r\n`);
const body = text('ab\r\n0:;\u0000\u00ff', 40);
const chunk = fc.tuple(
  text('ab\r\n0\u0000\u00ff', 20).filter((data) => data !== ''),
  fc.constantFrom('', ';a', ';a=b', ';a="b"'),
);

const framed = fc.oneof(
  body.map((data) => [`Content-Length: ${data.length}\r\n`, data] as const),
  body.map((data) => ['', data] as const),
  fc
    .tuple(fc.array(chunk, { maxLength: 4 }), fc.constantFrom('', 'X-T: t\r\n', 'X-T: t\r\nY:\r\n'))
    .map(
      ([chunks, trailers]) =>
        [
          'Transfer-Encoding: chunked\r\n',
          `${chunks.map(([data, more]) => `${data.length.toString(16)}${more}\r\n${data}\r\n`).join('')}0\r\n${trailers}\r\n`,
        ] as const,
    ),
);
const answered = fc
  .record({
    status: fc.constantFrom('200 OK', '200 OK', '404 Not Found', '500 ', '299', '200 a b\u00ff'),
    before: fc.array(field, { maxLength: 3 }),
    after: fc.array(field, { maxLength: 2 }),
    connection: fc.constantFrom('', '', 'Connection: close\r\n', 'Connection: keep-alive\r\n'),
    framed,
  })
  .map(
    ({ status, before, after, connection, framed: [framing, data] }) =>
      `HTTP/1.1 ${status}\r\n${before.join('')}${framing}${connection}${after.join('')}\r\n${data}`,
  );

/** What two readers could take differently. */
const DAMAGE = [
  ...[
    '\r',
    '\n',
    '\r\n',
    '\t',
    ' ',
    ':',
    ',',
    ';',
    '"',
    '0',
    '1',
    'f',
    '-',
    '+',
    '\u0000',
    '\u000b',
    '\u007f',
  ],
  ...['\r\n ', '\r\n\r\n', '\u0085', '\u00a0', 'HTTP/1.1 200 OK\r\n', 'HTTP/1.0'],
  ...[
    'Content-Length: 1\r\n',
    'Transfer-Encoding: chunked\r\n',
    'Content-Length : 1\r\n',
    'Connection: close\r\n',
  ],
  ...['Transfer-Encoding: gzip\r\n', 'transfer-encoding:\tchunked \r\n', 'content-length: 1,1\r\n'],
];
const damage = fc.record({
  kind: fc.constantFrom('insert', 'insert', 'replace', 'remove', 'cut', 'double'),
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  /** Damage tells most in the head. */
  inHead: fc.boolean(),
  atLine: fc.boolean(),
  what: fc.constantFrom(...DAMAGE),
});

type Damage = typeof damage extends fc.Arbitrary<infer One> ? One : never;

function damaged(answer: string, { kind, at, inHead, atLine, what }: Damage): string {
  const range = inHead ? answer.indexOf('\r\n\r\n') + 4 : answer.length;
  const anywhere = Math.floor(at * range);
  const place = atLine ? answer.indexOf('\n', anywhere) + 1 : anywhere;
  const rest = answer.slice(place);
  if (kind === 'cut') return answer.slice(0, place);
  if (kind === 'remove') return answer.slice(0, place) + rest.slice(1);
  if (kind === 'replace') return answer.slice(0, place) + what + rest.slice(1);
  if (kind === 'double') return answer.slice(0, place) + rest.slice(0, rest.indexOf('\n') + 1) + rest;
  return answer.slice(0, place) + what + rest;
}

const rawAnswer: fc.Arbitrary<RawAnswer> = fc
  .record({
    method: fc.constantFrom<'GET' | 'HEAD'>('GET', 'GET', 'GET', 'HEAD'),
    answer: answered,
    damages: fc.oneof(fc.constant<Damage[]>([]), fc.array(damage, { minLength: 1, maxLength: 3 })),
    cuts: fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 3 }),
  })
  .map(({ method, answer, damages, cuts }) => ({
    method,
    bytes: Buffer.from(damages.reduce(damaged, answer), 'latin1'),
    isWhole: damages.length === 0,
    cuts,
  }));

/** Declares the test with this many answers. */
export function describeResponses(count: number): void {
  describe(`${count} random answers`, function () {
    this.timeout(120_000 + count * 100);
    let backend: RawBackend;

    before(async () => {
      backend = await startRawBackend();
    });
    after(() => backend.close());

    it("are refused by the gateway's own client where Node refuses them, and read as Node reads them", async () => {
      const seed = Date.now() & 0xffff_ffff;
      let index = 0;
      const seen = { both: 0, neither: 0, stricter: 0 };
      for (const sent of fc.sample(rawAnswer, { numRuns: count, seed })) {
        index++;
        backend.answer = (socket) => void write(socket, sent);
        const [own, node] = await Promise.all([
          readByOwn(backend.origin, sent),
          readByNode(backend.origin, sent),
        ]);
        const label = `seed ${seed}, answer ${index} to ${sent.method}: ${JSON.stringify(sent.bytes.toString('latin1'))}`;
        if (own === null && node !== null) {
          expect(sent.isWhole, label).to.equal(false);
          seen.stricter++;
        } else {
          expect(own, label).to.deep.equal(node);
          seen[own === null ? 'neither' : 'both']++;
        }
      }
      expect(seen.both, 'accepted').to.be.above(count / 3);
      expect(seen.neither, 'refused').to.be.above(count / 20);
      expect(seen.stricter, 'refused by the own client alone').to.be.below(count / 20);
    });
  });
}

async function write(socket: Socket, { bytes, cuts }: RawAnswer): Promise<void> {
  const places = cuts.map((cut) => Math.floor(cut * bytes.length)).sort((a, b) => a - b);
  let from = 0;
  for (const place of places) {
    socket.write(bytes.subarray(from, place));
    from = place;
    await turn();
    await turn();
  }
  socket.end(bytes.subarray(from));
}

/** Null: refused. */
async function readByOwn(origin: string, { method }: RawAnswer): Promise<Read | null> {
  const transport = createKeptTransport(origin, BOUNDS);
  const { status, statusMessage, allHeaders, chunks, fault } = await exchange(transport, { method });
  await transport.destroy();
  if (fault !== null) return null;
  const headers = Object.entries(allHeaders).map(([name, value]) => [name, [value].flat().join(', ')]);
  return {
    status,
    reason: statusMessage,
    headers: Object.fromEntries(headers),
    body: Buffer.concat(chunks).toString('latin1'),
  };
}

/** Null: refused. */
function readByNode(origin: string, { method }: RawAnswer): Promise<Read | null> {
  return new Promise((resolve) => {
    let response: IncomingMessage | null = null;
    const asked = request(origin, { method, agent: false }, (answer) => {
      response = answer;
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on('error', () => resolve(null));
      answer.on('close', () => resolve(null));
      answer.on('end', () => resolve(answer.complete ? toldBy(answer, Buffer.concat(chunks)) : null));
    });
    // What stands behind a whole answer does not change it.
    asked.on('error', () => {
      if (!response?.complete) resolve(null);
    });
    // A connection that ends before there is an answer.
    asked.on('upgrade', () => resolve(null));
    asked.end();
  });
}

function toldBy(
  { statusCode = 0, statusMessage = '', headersDistinct }: IncomingMessage,
  body: Buffer,
): Read {
  const headers = Object.entries(headersDistinct).map(([name, values = []]) => [name, values.join(', ')]);
  return {
    status: statusCode,
    reason: statusMessage,
    headers: Object.fromEntries(headers),
    body: body.toString('latin1'),
  };
}
