/** Checks that a batch that comes line by line is the batch that comes at once. */
import { expect } from 'chai';
import { linesOf, StreamedBatch } from '../../../../../services/dashboard/client/api/streamed-batch.ts';

const line = (request: number, parameter: string, queryId?: string) =>
  JSON.stringify({
    queryId,
    request,
    dataset: 0,
    parameter,
    success: true,
    data: [{ name: `${parameter}\u2028é` }],
  });

const LINES = [line(0, 'summary_metrics', 'numbers'), line(0, 'summary', 'numbers'), line(1, 'pages')];

/** A body that comes in pieces of `size` bytes, wherever that cuts a character. */
function bodyOf(text: string, size: number): ReadableStream<Uint8Array> {
  const bytes = new TextEncoder().encode(text);
  const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
    bytes.slice(index * size, (index + 1) * size),
  );
  return new ReadableStream({
    start(controller) {
      for (const piece of pieces) controller.enqueue(piece);
      controller.close();
    },
  });
}

describe('a batch that comes line by line', () => {
  it('is whole with its last line, each dataset in its request object', () => {
    const batch = new StreamedBatch();
    for (const each of LINES) batch.take(each);
    expect(batch.isWhole).to.equal(false);
    batch.take('{"meta":[{},{}]}');
    expect([batch.isWhole, batch.error]).to.deep.equal([true, undefined]);
    const { results } = batch.batch();
    expect(
      results.map(({ queryId, data }) => [queryId, data.map(({ parameter }) => parameter)]),
    ).to.deep.equal([
      ['numbers', ['summary_metrics', 'summary']],
      [undefined, ['pages']],
    ]);
  });

  it('tells when a request object is whole, and shows no half of one', () => {
    const batch = new StreamedBatch();
    expect(LINES.map((each) => batch.take(each))).to.deep.equal([false, false, true]);
    expect(batch.batch(true).results.map(({ queryId }) => queryId)).to.deep.equal(['numbers']);
    expect(batch.batch().results).to.have.length(2);
  });

  it('keeps the error that came in place of the rest', () => {
    const batch = new StreamedBatch();
    batch.take(LINES[0] as string);
    batch.take('{"success":false,"error":"Too slow.","code":"QUERY_TIMEOUT"}');
    expect(batch.error).to.include({ code: 'QUERY_TIMEOUT' });
    expect(batch.isWhole).to.equal(false);
  });

  it('is read line by line however the connection cuts it', async () => {
    for (const size of [1, 2, 3, 7, 1_000]) {
      const read: string[] = [];
      for await (const each of linesOf(bodyOf(`${LINES.join('\n')}\n`, size))) read.push(each);
      expect(read, `${size} bytes at a time`).to.deep.equal(LINES);
    }
  });
});
