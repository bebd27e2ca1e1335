/** What every answer must carry, asserted in one place. */
import { expect } from 'chai';
import type { Answer } from './start-tidegate.ts';

/**
 * The request id and the rate-limit triple, as integers with the reset in the future (spec.md, Rate limit headers). It lies
 * after `askedMs`: a window may end while the answer, or others beside it, are awaited.
 */
export function expectCommonHeaders(
  headers: Headers,
  nowMs: number = Date.now(),
  askedMs: number = nowMs,
): void {
  expect(headers.get('x-request-id'), 'X-Request-Id').to.match(/^[A-Za-z0-9._-]{1,128}$/);
  expect(headers.get('x-powered-by')).to.equal(null);
  const limit = integer(headers, 'x-ratelimit-limit');
  const remaining = integer(headers, 'x-ratelimit-remaining');
  const reset = integer(headers, 'x-ratelimit-reset');
  expect(limit).to.be.at.least(1);
  expect(remaining).to.be.within(0, limit);
  expect(reset).to.be.within(Math.floor(askedMs / 1000), Math.ceil(nowMs / 1000) + 61);
}

function integer(headers: Headers, name: string): number {
  const text = headers.get(name);
  expect(text, name).to.match(/^\d+$/);
  return Number(text);
}

/** `nowMs`: of the clock that the server goes by, where that is not the machine's. */
function expectHeadersOf({ headers, askedMs }: Answer, nowMs?: number): void {
  if (nowMs === undefined) expectCommonHeaders(headers, Date.now(), askedMs);
  else expectCommonHeaders(headers, nowMs);
}

/** A success with its headers. */
export function expectSuccess(answer: Answer, status = 200, nowMs?: number): void {
  expect(answer.status, JSON.stringify(answer.body)).to.equal(status);
  expectHeadersOf(answer, nowMs);
}

/** An error of this status and code: body, reason phrase and headers as contract.md section 2 says. */
export function expectError(answer: Answer, status: number, code: string, nowMs?: number): void {
  expectErrorBody(answer, status, code);
  expectHeadersOf(answer, nowMs);
  const { body, headers } = answer;
  if (status === 401) expect(headers.get('www-authenticate')).to.equal('Bearer');
  if (status === 405) expect(headers.get('allow')).to.match(/^[A-Z]+(?:, [A-Z]+)*$/);
  if (status === 503) expect(headers.get('retry-after')).to.match(/^[1-9]\d*$/);
  if (status === 429) {
    expect(body.remaining).to.equal(0);
    expect(String(body.limit)).to.equal(headers.get('x-ratelimit-limit'));
    expect(headers.get('x-ratelimit-remaining')).to.equal('0');
    expect(Date.parse(body.reset)).to.equal(Number(headers.get('x-ratelimit-reset')) * 1000);
    expect(String(body.retryAfter)).to.equal(headers.get('retry-after'));
    expect(body.retryAfter).to.be.within(1, 60);
  }
}

/** The part of an error that is the same for every status: status line, type, length and the common fields. */
export function expectErrorBody(answer: Answer, status: number, code: string): void {
  const { body, headers } = answer;
  expect([answer.status, body?.code], JSON.stringify(body)).to.deep.equal([status, code]);
  expect(answer.reason).to.equal(code);
  expect(headers.get('content-type')).to.equal('application/json; charset=utf-8');
  if (headers.get('content-encoding') === null)
    expect(Number(headers.get('content-length'))).to.equal(Buffer.byteLength(JSON.stringify(body)));
  expect(body.success).to.equal(false);
  expect(body.error).to.be.a('string').with.length.greaterThan(0);
  expect(body.message).to.equal(body.error);
  expect(body.details).to.be.an('array');
  expect(body.requestId).to.equal(headers.get('x-request-id'));
}

/** The error of a HEAD request: status line and headers of the error, and no byte behind them. */
export function expectHeadError(answer: Answer, status: number, code: string): void {
  expect([answer.status, answer.reason, answer.body]).to.deep.equal([status, code, null]);
  expect(answer.headers.get('content-type')).to.equal('application/json; charset=utf-8');
  expectCommonHeaders(answer.headers);
}
