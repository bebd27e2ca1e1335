/** Answers are found by query and state alone, counted, and bounded in their memory. */
import { expect } from 'chai';
import {
  answerKey,
  RememberedAnswers,
} from '../../../../../services/shared/storage/answers/remembered-answers.ts';

const REACH = { organizationId: 'org_a', websiteIds: ['web_a'], organizationEvents: false, range: null };
const query = (sql: string) => ({ engine: 'duckdb', sql, params: { a: 1 } }) as const;

describe('remembered answers', () => {
  it('are found by their query and the state that they were read from', () => {
    const answers = new RememberedAnswers(1);
    const rows = [{ n: 1 }];
    const key = answerKey(query('SELECT 1'), REACH);
    expect(answers.find(key, '7')).to.equal(null);
    answers.remember(key, '7', rows);
    expect(answers.find(key, '7')).to.equal(rows);
    expect(answers.find(key, '8')).to.equal(null);
    for (const other of [
      answerKey(query('SELECT 2'), REACH),
      answerKey({ ...query('SELECT 1'), params: { a: 2 } }, REACH),
      answerKey(query('SELECT 1'), { ...REACH, organizationId: 'org_b' }),
      answerKey(query('SELECT 1'), { ...REACH, range: { from: 0, to: 1 } }),
    ])
      expect(answers.find(other, '7')).to.equal(null);
    expect(answers.status).to.deep.include({ hits: 1, misses: 6 });
  });

  it('take no more memory than they may: the least recently used leave, and none takes most of it', () => {
    const answers = new RememberedAnswers(1);
    const rows = Array.from({ length: 100 }, () => ({ name: 'x'.repeat(100) }));
    for (let i = 0; i < 200; i++) answers.remember(`${i}`, '1', rows);
    expect(answers.status.bytes).to.be.within(500_000, 1_000_000);
    expect(answers.find('0', '1')).to.equal(null);
    expect(answers.find('199', '1')).to.equal(rows);
    answers.remember(
      'long',
      '1',
      Array.from({ length: 1_000 }, () => ({ name: 'x'.repeat(100) })),
    );
    expect(answers.find('long', '1')).to.equal(null);
  });

  it('are none without memory', () => {
    const answers = new RememberedAnswers(0);
    answers.remember('a', '1', []);
    expect(answers.find('a', '1')).to.equal(null);
    expect(answers.status).to.deep.equal({ hits: 0, misses: 0, bytes: 0 });
  });
});
