/** What evaluation costs at most: rules made to be slow, and a caller made for them, hold up nobody. */
import { expect } from 'chai';
import fc from 'fast-check';
import { compileFlags } from '../../../../services/resources/flags/compile-flags.ts';
import { evaluateBulk } from '../../../../services/resources/flags/evaluate-bulk.ts';
import { bulkQuerySchema } from '../../../../services/resources/flags/evaluation-query.ts';
import { searchedText } from '../../../../services/resources/flags/searched-text.ts';
import type { FlagRule } from '../../../../services/shared/model/flag.ts';
import { startCpuTime } from '../../../support/cpu-time.ts';
import { flagOf, groupOf, verdictOn } from '../../../support/flag-verdicts.ts';
import { KEY_CALLER, startResourcesService } from '../../../support/start-resources-service.ts';

/** Far above what is needed, far below what comparing each text along the whole of the other takes: minutes. */
const BOUND_MS = 3_000;
const ALIKE = 'a'.repeat(8_000);

function alikeRule(texts: number): FlagRule {
  const batchValues = Array.from({ length: texts }, (_, i) => `aab${i}`);
  return { type: 'property', field: 'p', operator: 'contains', batch: true, batchValues, enabled: true };
}

const asked = (caller: object) => bulkQuerySchema.parse({ clientId: 'x', ...caller });

describe('the cost of judging a flag', () => {
  it('stays small for many dependencies that resemble many keys: the first three get a suggestion', async () => {
    const service = await startResourcesService();
    const keyOf = (start: string) => start.padEnd(100, 'ab');
    for (let i = 0; i < 20; i++) {
      const { version: _v, createdAt: _c, updatedAt: _u, ...flag } = flagOf(keyOf(`flag-${i}-`));
      await service.documents.flags.insert(flag);
    }
    const dependencies = Array.from({ length: 50 }, (_, i) => keyOf(`flog-${i}-`));
    const body = { key: 'f', dependencies };
    const answer = await service.ask(KEY_CALLER, 'POST', '/v1/flags', { body });
    await service.close();
    const { details } = answer.body;
    expect([answer.status, details.length]).to.deep.equal([400, 50]);
    const suggested = details.filter(({ suggestion }: { suggestion?: string }) => suggestion !== undefined);
    expect(suggested.length).to.equal(3);
  });
});

describe('the cost of evaluating flags', () => {
  it('stays small for many texts that resemble what the caller says, in groups that many flags share', () => {
    const ids = Array.from({ length: 20 }, (_, i) => `tgt_${i}`);
    const groups = new Map(ids.map((id) => [id, groupOf(id, [alikeRule(500)])]));
    const flags = Array.from({ length: 200 }, (_, i) => flagOf(`f${i}`, { targetGroupIds: ids }));
    const compiled = compileFlags({ flags, groups }).get(null) ?? new Map();
    const cpuMs = startCpuTime();
    const { bytes } = evaluateBulk(compiled, asked({ properties: JSON.stringify({ p: ALIKE }) }));
    const { count } = JSON.parse(bytes.toString());
    expect(count).to.equal(200);
    expect(cpuMs()).to.be.below(BOUND_MS);
  });

  it('stays small for one flag by itself', () => {
    const rules = Array.from({ length: 10 }, () => alikeRule(1_000));
    const cpuMs = startCpuTime();
    const verdict = verdictOn([flagOf('f', { rules })], 'f', { properties: { p: ALIKE } });
    expect(verdict?.reason).to.equal('BOOLEAN_DEFAULT');
    const found = verdictOn([flagOf('f', { rules })], 'f', { properties: { p: `${ALIKE}b999x` } });
    expect(found?.reason).to.equal('USER_RULE_MATCH');
    expect(cpuMs()).to.be.below(BOUND_MS);
  });

  it('an indexed text contains exactly what a text contains', () => {
    const few = fc.string({ unit: fc.constantFrom('a', 'b', '\u{1f600}'), maxLength: 40 });
    const parts = fc.array(fc.string({ unit: fc.constantFrom('a', 'b', '\u{1f600}'), maxLength: 5 }));
    fc.assert(
      fc.property(few, parts, fc.nat(40), fc.nat(6), (text, others, from, length) => {
        const searched = searchedText(text, 0);
        searched.contains('');
        for (const part of [...others, text, text.slice(from, from + length), `${text}a`, ''])
          expect(searched.contains(part), `${part} in ${text}`).to.equal(text.includes(part));
      }),
      { numRuns: 1_000 },
    );
  });

  it('flags of one group that go by different things keep their own shares of callers', () => {
    const share: FlagRule = { type: 'property', operator: 'equals', value: 50, enabled: true };
    const groups = new Map([['tgt_half', groupOf('tgt_half', [share])]]);
    const flags = (['user', 'organization', 'team'] as const).map((rolloutBy) =>
      flagOf(rolloutBy, { rolloutBy, targetGroupIds: ['tgt_half'] }),
    );
    const compiled = compileFlags({ flags, groups }).get(null) ?? new Map();
    for (let n = 0; n < 50; n++) {
      const who = { userId: `u${n}`, organizationId: `o${n * 7}`, teamId: `t${n * 13}` };
      const { flags: verdicts } = JSON.parse(evaluateBulk(compiled, asked(who)).bytes.toString());
      for (const flag of flags)
        expect(verdicts[flag.key]).to.deep.equal(verdictOn(flags, flag.key, who, [...groups.values()]));
    }
  });
});
