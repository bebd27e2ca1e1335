/** What counts as the API key of a request, header line by header line (contract.md section 3). */
import { expect } from 'chai';
import { type KeyReading, readApiKey } from '../../../plugins/auth/read-api-key.ts';

const A = 'tg_a';
const B = 'tg_b';

/** Header lines, names and values in turn, and what is read from them. */
const CASES: Record<string, [lines: string[], reading: KeyReading]> = {
  'no header': [[], 'none'],
  'other headers': [['Host', 'x', 'x-api-keys', A, 'x-apikey!', A, 'Authorisations', `Bearer ${A}`], 'none'],
  'x-api-key': [['x-api-key', A], { key: A }],
  'x-api-key in capitals': [['X-API-KEY', A], { key: A }],
  'x-api-key with space around': [['x-api-key', ` \t${A} `], { key: A }],
  'an empty x-api-key': [['x-api-key', ''], 'none'],
  'an x-api-key of spaces': [['x-api-key', '  '], 'none'],
  Bearer: [['Authorization', `Bearer ${A}`], { key: A }],
  'Bearer in small letters': [['authorization', `bearer ${A}`], { key: A }],
  'Bearer in capitals': [['AUTHORIZATION', `BEARER ${A}`], { key: A }],
  'Bearer after a tab': [['Authorization', `Bearer\t${A}`], { key: A }],
  'Bearer with much space': [['Authorization', `  Bearer   ${A}  `], { key: A }],
  'Bearer without a key': [['Authorization', 'Bearer'], 'none'],
  'Bearer and a space': [['Authorization', 'Bearer '], 'none'],
  'an empty Authorization': [['Authorization', ''], 'none'],
  'another scheme': [['Authorization', 'Basic dXNlcjpwYXNz'], 'none'],
  'a scheme that begins like Bearer': [['Authorization', `Bearers ${A}`], 'none'],
  'a key without a scheme': [['Authorization', A], 'none'],
  'both, equal': [['x-api-key', A, 'Authorization', `Bearer ${A}`], { key: A }],
  'both, different': [['x-api-key', A, 'Authorization', `Bearer ${B}`], 'refused'],
  'both, different in case': [['x-api-key', A, 'Authorization', `Bearer ${A.toUpperCase()}`], 'refused'],
  'a key beside an empty x-api-key': [['x-api-key', '', 'Authorization', `Bearer ${A}`], { key: A }],
  'a key beside an empty Bearer': [['x-api-key', A, 'Authorization', 'Bearer'], { key: A }],
  'a key beside another scheme': [['x-api-key', A, 'Authorization', 'Basic dXNlcjpwYXNz'], { key: A }],
  'two x-api-key lines': [['x-api-key', A, 'X-Api-Key', B], 'refused'],
  'two equal x-api-key lines': [['x-api-key', A, 'Host', 'x', 'x-api-key', A], 'refused'],
  'an empty x-api-key line beside a key': [['x-api-key', '', 'x-api-key', A], 'refused'],
  'two Authorization lines': [['Authorization', `Bearer ${A}`, 'authorization', `Bearer ${A}`], 'refused'],
  'another scheme beside Bearer': [
    ['Authorization', 'Basic eA==', 'Authorization', `Bearer ${A}`],
    'refused',
  ],
  'two keys in one line': [['x-api-key', `${A}, ${B}`], { key: `${A}, ${B}` }],
};

describe('the API key of a request', () => {
  for (const [name, [lines, reading]] of Object.entries(CASES)) {
    it(`${name}: ${typeof reading === 'string' ? reading : 'read'}`, () => {
      expect(readApiKey(lines)).to.deep.equal(reading);
    });
  }
});
