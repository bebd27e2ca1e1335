/** The rule of names: what is kept of one, and what is none. */
import { expect } from 'chai';
import { nameSchema } from '../../../../services/shared/text/name-schema.ts';

describe('nameSchema', () => {
  const read = (name: unknown) => nameSchema().safeParse(name);

  it('takes a name as people type it, without white space around it and what no store can hold', () => {
    for (const [came, kept] of [
      ['Shop', 'Shop'],
      [' Shop of\tBerlin \n', 'Shop of\tBerlin'],
      ['Caf\u00e9 \u5e97 \ud83d\ude80', 'Caf\u00e9 \u5e97 \ud83d\ude80'],
      ['a\0b\ud800', 'ab\ufffd'],
      [` ${'x'.repeat(100)} `, 'x'.repeat(100)],
    ]) {
      expect(read(came).data, JSON.stringify(came)).to.equal(kept);
    }
  });

  it('refuses what nobody sees, what is too long, and what is no text, and says what is allowed', () => {
    for (const came of [
      '',
      '   ',
      '\u00a0\u3000',
      '\u200b\u200d',
      '\u202e',
      '\u0001',
      '\u3164',
      'x'.repeat(101),
      7,
      null,
    ]) {
      const messages = read(came).error?.issues.map(({ message }) => message);
      expect(messages, JSON.stringify(came)).to.deep.equal(['Allowed: a text of 1 to 100 characters.']);
    }
    expect(nameSchema(500).safeParse('x'.repeat(500)).success).to.equal(true);
  });
});
