/** A rule between the form and the API: what nobody touched goes back as it came, and what was typed is what the API takes. */
import { expect } from 'chai';
import type { FlagRule } from '../../../../../../services/dashboard/client/api/wire.ts';
import {
  NEW_RULE,
  OPERATORS,
  type RuleDraft,
  ruleDraftsOf,
  ruleOf,
} from '../../../../../../services/dashboard/client/screens/flags/rule-draft.ts';
import { rulesSchema } from '../../../../../../services/resources/flags/rule-schema.ts';
import { RULE_OPERATORS } from '../../../../../../services/shared/model/flag.ts';

const typed = (edits: Partial<RuleDraft>) => ruleOf({ ...NEW_RULE, row: 0, ...edits });
/** A rule that came, changed in the form. */
const changed = (rule: FlagRule, edits: Partial<RuleDraft> = {}) =>
  ruleDraftsOf([rule]).map((draft) => ruleOf({ ...draft, ...edits }))[0];

const CAME: readonly FlagRule[] = [
  { type: 'user_id', operator: 'equals', value: 'ada', enabled: true },
  { type: 'email', operator: 'ends_with', value: '@example.com', enabled: false },
  { type: 'property', field: 'seats', operator: 'equals', value: 5, enabled: true },
  { type: 'property', field: 'beta', operator: 'in', values: [true, 1, 'yes'], enabled: true },
  { type: 'property', field: 'plan', operator: 'exists', enabled: true },
  { type: 'property', field: 'text', operator: 'equals', value: ' two\nlines ', enabled: true },
  { type: 'email', operator: 'contains', batch: true, batchValues: ['a', 'b\nc'], enabled: true },
  { type: 'user_id', operator: 'not_in', batch: true, batchValues: ['a'], enabled: true },
  { type: 'property', operator: 'contains', value: 12.5, enabled: true },
];

describe('a rule of the form', () => {
  it('offers every operator that the API has', () => {
    expect(OPERATORS).to.deep.equal(RULE_OPERATORS);
  });

  for (const rule of CAME) {
    it(`goes back as it came: ${JSON.stringify(rule)}`, () => {
      expect(changed(rule)).to.deep.equal(rule);
    });

    it(`keeps its values when something else is changed: ${JSON.stringify(rule)}`, () => {
      expect(changed(rule, { enabled: !rule.enabled })).to.deep.equal({ ...rule, enabled: !rule.enabled });
    });
  }

  const cases: [string, Partial<RuleDraft>, object][] = [
    ['one value', { values: 'ada' }, { type: 'user_id', operator: 'equals', value: 'ada' }],
    [
      'several values of an operator that compares with one, as a batch',
      { subject: 'email', operator: 'starts_with', values: 'ada@\n\nbob@\n' },
      { type: 'email', operator: 'starts_with', batch: true, batchValues: ['ada@', 'bob@'] },
    ],
    [
      'one value of an operator that compares with many',
      { operator: 'in', values: 'ada' },
      { type: 'user_id', operator: 'in', values: ['ada'] },
    ],
    [
      'a property, with the spaces of its value',
      { subject: 'property', field: 'plan', operator: 'not_in', values: ' pro\nfree' },
      { type: 'property', field: 'plan', operator: 'not_in', values: [' pro', 'free'] },
    ],
    [
      'nothing to compare with, whatever was typed before',
      { subject: 'property', field: 'plan', operator: 'not_exists', values: 'pro' },
      { type: 'property', field: 'plan', operator: 'not_exists' },
    ],
    [
      'a share, with a comma',
      { subject: 'percentage', field: 'plan', values: ' 12,5 ' },
      { type: 'property', operator: 'equals', value: 12.5 },
    ],
    [
      'a share whose operator asked for being',
      { subject: 'percentage', operator: 'exists', values: '10' },
      { type: 'property', operator: 'exists', value: 10 },
    ],
  ];
  for (const [name, edits, expected] of cases) {
    it(`is sent as the API takes it: ${name}`, () => {
      const rule = typed(edits);
      expect(rule).to.deep.equal({ ...expected, enabled: true });
      expect(rulesSchema.safeParse([rule]).success).to.equal(true);
    });
  }

  const faulty: [string, Partial<RuleDraft>, string][] = [
    ['no value', { values: '\n' }, 'value'],
    ['no value of many', { operator: 'in', values: '' }, 'values'],
    ['no name of a property', { subject: 'property', field: '', values: 'pro' }, 'field'],
    // The API takes it for a property without a name.
    ['a share that is no number', { subject: 'percentage', values: 'many' }, 'field'],
    ['a share beyond all', { subject: 'percentage', values: '101' }, 'value'],
  ];
  for (const [name, edits, field] of faulty) {
    it(`is left to the API, which refuses it at its field: ${name}`, () => {
      const { error } = rulesSchema.safeParse([JSON.parse(JSON.stringify(typed(edits)))]);
      expect(error?.issues.map(({ path }) => path.join('.'))).to.deep.equal([`0.${field}`]);
    });
  }

  it('never becomes a share because the name of its property was cleared', () => {
    const number: FlagRule = {
      type: 'property',
      field: 'seats',
      operator: 'equals',
      value: 5,
      enabled: true,
    };
    expect(rulesSchema.safeParse([changed(number, { field: '' })]).success).to.equal(false);
  });
});
