/** What the paced load sends, how it reads answers, and how several runs become one. */
import { expect } from 'chai';
import { type HalfLoad, mergeHalfLoads, wireText } from './half-load.ts';
import { answerLength } from './paced-client.ts';

describe('the load at half of what a target bears', () => {
  it('writes a request as HTTP does, with the length of its body in bytes', () => {
    const request = {
      method: 'POST',
      path: '/track',
      headers: { 'x-api-key': 'k' },
      body: '{"name":"é"}',
    } as const;
    expect(wireText(request, '127.0.0.1:80')).to.equal(
      'POST /track HTTP/1.1\r\nhost: 127.0.0.1:80\r\nx-api-key: k\r\ncontent-length: 13\r\n\r\n{"name":"é"}',
    );
  });

  it('knows when an answer is whole, and refuses one without a length', () => {
    const answer = Buffer.from('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}');
    expect(answerLength(answer.subarray(0, 20))).to.equal(null);
    expect(answerLength(answer.subarray(0, answer.length - 1))).to.equal(null);
    expect(answerLength(Buffer.concat([answer, answer]))).to.equal(answer.length);
    expect(() => answerLength(Buffer.from('HTTP/1.1 200 OK\r\n\r\n'))).to.throw('content-length');
  });

  it('takes the median of the runs of a target, and sums up what was sent and failed', () => {
    const run = (p99: number, failures: number): HalfLoad => ({
      ...{ target: 'tidegate', method: 'GET', perSecond: 1_000, sent: 10, failures },
      ...{ p50: 1, p99, p999: 9 },
    });
    const merged = mergeHalfLoads([run(2, 0), run(8, 1), run(3, 0), { ...run(1, 0), target: 'bare' }]);
    expect(merged.map(({ target, p99, sent, failures }) => [target, p99, sent, failures])).to.deep.equal([
      ['tidegate', 3, 30, 1],
      ['bare', 1, 10, 0],
    ]);
  });
});
