/** What every answer must carry, asserted in one place. */
import { expect } from 'chai';
import type { Answer } from './start-tidegate.ts';

/** The request id and the rate-limit triple, as integers with the reset in the future (spec.md, Rate limit headers). */
export function expectCommonHeaders(headers: Headers, nowMs: number = Date.now()): void {
  expect(headers.get('x-request-id'), 'X-Request-Id').to.match(/^[A-Za-z0-9._-]{1,128}$/);
  expect(headers.get('x-powered-by')).to.equal(null);
  const limit = integer(headers, 'x-ratelimit-limit');
  const remaining = integer(headers, 'x-ratelimit-remaining');
  const reset = integer(headers, 'x-ratelimit-reset');
  expect(limit).to.be.at.least(1);
  expect(remaining).to.be.within(0, limit);
  expect(reset).to.be.within(Math.floor(nowMs / 1000), Math.ceil(nowMs / 1000) + 61);
}

function integer(headers: Headers, name: string): number {
  const text = headers.get(name);
  expect(text, name).to.match(/^\d+$/);
  return Number(text);
}

/** A success with its headers. */
export function expectSuccess(answer: Answer, status = 200, nowMs: number = Date.now()): void {
  expect(answer.status, JSON.stringify(answer.body)).to.equal(status);
  expectCommonHeaders(answer.headers, nowMs);
}

/** An error of this status and code: body, reason phrase and headers as contract.md section 2 says. */
export function expectError(answer: Answer, status: number, code: string, nowMs: number = Date.now()): void {
  expect([answer.status, answer.body?.code], JSON.stringify(answer.body)).to.deep.equal([status, code]);
  expect(answer.reason).to.equal(code);
  expect(answer.headers.get('content-type')).to.equal('application/json; charset=utf-8');
  expect(answer.body.success).to.equal(false);
  expect(answer.body.error).to.be.a('string').with.length.greaterThan(0);
  expect(answer.body.message).to.equal(answer.body.error);
  expect(answer.body.details).to.be.an('array');
  expect(answer.body.requestId).to.equal(answer.headers.get('x-request-id'));
  expectCommonHeaders(answer.headers, nowMs);
  if (status === 401) expect(answer.headers.get('www-authenticate')).to.equal('Bearer');
  if (status === 405) expect(answer.headers.get('allow')).to.be.a('string').with.length.greaterThan(0);
  if (status === 429) {
    expect(answer.body.remaining).to.equal(0);
    expect(String(answer.body.limit)).to.equal(answer.headers.get('x-ratelimit-limit'));
    expect(answer.headers.get('x-ratelimit-remaining')).to.equal('0');
    expect(Date.parse(answer.body.reset)).to.equal(Number(answer.headers.get('x-ratelimit-reset')) * 1000);
    expect(String(answer.body.retryAfter)).to.equal(answer.headers.get('retry-after'));
    expect(answer.body.retryAfter).to.be.within(1, 60);
  }
}
