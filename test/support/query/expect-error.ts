/** Asserts the one shape of errors: body, status and reason phrase. */
import { expect } from 'chai';
import type { Answer } from './start-query-service.ts';

export interface Detail {
  readonly field: string;
  readonly message: string;
  readonly suggestion?: string;
}

/** The details of the error that `answer` must be. */
export function expectError(answer: Answer, status: number, code: string): readonly Detail[] {
  expect([answer.status, answer.statusText, answer.body.code]).to.deep.equal([status, code, code]);
  expect(answer.body).to.include({ success: false, requestId: 'r-1', message: answer.body.error });
  expect(answer.body.error).to.be.a('string').and.not.equal('');
  return answer.body.details as Detail[];
}
