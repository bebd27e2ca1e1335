/** Variants between the form and the API, and what is said of their weights before they are sent. */
import { expect } from 'chai';
import type { FlagVariant } from '../../../../../../services/dashboard/client/api/wire.ts';
import {
  isSendable,
  NEW_VARIANT,
  VARIANT_TYPES,
  type VariantDraft,
  variantDraftsOf,
  variantOf,
  weightsOf,
} from '../../../../../../services/dashboard/client/screens/flags/variant-draft.ts';
import { variantsSchema } from '../../../../../../services/resources/flags/schema.ts';
import { VARIANT_TYPES as TYPES_OF_THE_API } from '../../../../../../services/shared/model/flag.ts';

const typed = (edits: Partial<VariantDraft>) => ({ ...NEW_VARIANT, row: 0, key: 'a', ...edits });
const weighed = (...weights: string[]) => weightsOf(weights.map((weight) => ({ weight })));

describe('the variants of the form', () => {
  it('are of every type that the API has', () => {
    expect(VARIANT_TYPES).to.deep.equal(TYPES_OF_THE_API);
  });

  it('go back as they came', () => {
    const came: FlagVariant[] = [
      { key: 'text', type: 'string', value: ' two\nlines ' },
      { key: 'number', type: 'number', value: -1.5e-7 },
      { key: 'json', type: 'json', value: { a: [1, null] } },
      { key: 'null', type: 'json', value: null },
    ];
    expect(variantDraftsOf(came).map(variantOf)).to.deep.equal(came);
    const weighted: FlagVariant[] = [{ key: 'half', type: 'string', value: '', weight: 12.5 }];
    expect(variantDraftsOf(weighted).map(variantOf)).to.deep.equal(weighted);
  });

  it('are sent as the API takes them', () => {
    const sent = [
      typed({ value: '5', weight: '33,3' }),
      typed({ key: 'b', type: 'number', value: '5', weight: ' 33.3 ' }),
      typed({ key: 'c', type: 'json', value: '{"a": 5}', weight: '33.4' }),
    ].map(variantOf);
    expect(sent).to.deep.equal([
      { key: 'a', type: 'string', value: '5', weight: 33.3 },
      { key: 'b', type: 'number', value: 5, weight: 33.3 },
      { key: 'c', type: 'json', value: { a: 5 }, weight: 33.4 },
    ]);
    expect(variantsSchema.safeParse(sent).success).to.equal(true);
  });

  it('are left to the API where a value is not of its type, or a weight no number', () => {
    const sent = [
      typed({ type: 'number', value: 'many', weight: '50' }),
      typed({ key: 'b', type: 'json', value: '{}', weight: 'half' }),
    ].map(variantOf);
    const { error } = variantsSchema.safeParse(JSON.parse(JSON.stringify(sent)));
    expect(error?.issues.map(({ path }) => path.join('.'))).to.include('1.weight');
    const { error: values } = variantsSchema.safeParse([{ ...sent[0], weight: 100 }]);
    expect(values?.issues.map(({ path }) => path.join('.'))).to.deep.equal(['0.value']);
  });

  it('cannot be sent while one is to be JSON and is none', () => {
    for (const value of ['{', '', ' ']) {
      expect(isSendable(typed({ type: 'json', value })), value).to.equal(false);
    }
    for (const [type, value] of [
      ['json', '{}'],
      ['string', '{'],
      ['number', '{'],
    ] as const) {
      expect(isSendable(typed({ type, value })), `${type} ${value}`).to.equal(true);
    }
  });
});

describe('the weights of variants', () => {
  const cases: [string, readonly string[], ReturnType<typeof weightsOf>][] = [
    ['none: all shares are equal', ['', ' '], { missing: 0, left: null }],
    ['what is left', ['60', '15,5'], { missing: 0, left: 24.5 }],
    ['nothing left', ['50', '50'], { missing: 0, left: 0 }],
    ['thirds, without a rest of binary fractions', ['33.3', '33.3', '33.4'], { missing: 0, left: 0 }],
    ['tenths, without one', Array.from({ length: 10 }, () => '10'), { missing: 0, left: 0 }],
    ['too much', ['60', '60'], { missing: 0, left: -20 }],
    ['those without one, and what is no number', ['60', '', 'half'], { missing: 2, left: 40 }],
  ];
  for (const [name, weights, expected] of cases) {
    it(`say ${name}`, () => {
      expect(weighed(...weights)).to.deep.equal(expected);
    });
  }

  it('are whole exactly where the API takes them', () => {
    for (const weights of [
      ['50', '50'],
      ['60', '30'],
      ['33,3', '33,3', '33,4'],
      ['100', '0'],
      ['', ''],
    ]) {
      const variants = weights.map((weight, row) => variantOf(typed({ row, key: `v${row}`, weight })));
      const { left } = weighed(...weights);
      expect(variantsSchema.safeParse(variants).success, weights.join()).to.equal(
        left === null || left === 0,
      );
    }
  });
});
