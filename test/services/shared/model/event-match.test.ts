/** What a match of events and a funnel may say, and the place of each fault. */
import { expect } from 'chai';
import { OUR_WORDING } from '../../../../services/shared/errors/issue-wording.ts';
import { eventMatchSchema } from '../../../../services/shared/model/event-match.ts';

const faultsOf = (value: unknown) => {
  const result = eventMatchSchema.safeParse(value, OUR_WORDING);
  return result.success ? [] : result.error.issues.map(({ path, message }) => [path.join('.'), message]);
};
const matching = (match: object, rest: object = {}) => ({ type: 'event', match, ...rest });
const under = (condition: object) => ({
  ...matching({ op: 'eq', value: 'signup' }),
  conditions: [condition],
});

describe('the match of events', () => {
  it('takes every operator of names, paths and properties', () => {
    for (const op of ['eq', 'contains', 'starts_with', 'ends_with'])
      expect(faultsOf(matching({ op, value: 'signup' })), op).to.deep.equal([]);
    expect(faultsOf(matching({ op: 'in', value: ['signup', 'login'] }))).to.deep.equal([]);
    expect(faultsOf(matching({ op: 'in', value: 'signup' }))).to.deep.equal([]);
    expect(faultsOf({ type: 'page', match: { op: 'matches', value: '^/blog/[0-9]+$' } })).to.deep.equal([]);
    for (const condition of [
      { op: 'eq', value: 'pro' },
      { op: 'ne', value: 1.5 },
      { op: 'in', value: ['a', 1, true] },
      { op: 'gte', value: 100 },
      { op: 'matches', value: '^a' },
      { op: 'missing' },
    ])
      expect(faultsOf(under({ field: 'properties.plan', ...condition })), condition.op).to.deep.equal([]);
  });

  it('refuses a list where one value is due, an empty list and one that is too long', () => {
    expect(faultsOf(matching({ op: 'eq', value: ['a'] }))).to.deep.equal([
      ['match.value', 'The operator eq takes one value, not a list.'],
    ]);
    expect(faultsOf(matching({ op: 'in', value: [] }))).to.have.length(1);
    expect(faultsOf(matching({ op: 'in', value: Array(101).fill('a') }))).to.have.length(1);
  });

  it('refuses patterns that are no regular expression or too large', () => {
    expect(faultsOf(matching({ op: 'matches', value: '(a' }))[0]?.[0]).to.equal('match.value');
    expect(faultsOf(matching({ op: 'matches', value: '(a{100}){100}' }))[0]?.[0]).to.equal('match.value');
    expect(faultsOf(under({ field: 'properties.a', op: 'matches', value: '[' }))[0]?.[0]).to.equal(
      'conditions.0.value',
    );
  });

  it('refuses texts that no store holds, unknown fields and unknown operators', () => {
    expect(faultsOf(matching({ op: 'eq', value: 'a\0' }))[0]?.[0]).to.contain('match.value');
    expect(faultsOf(matching({ op: 'like', value: 'a' }))[0]?.[0]).to.equal('match.op');
    expect(faultsOf(matching({ op: 'eq', value: 'a' }, { path: '/' }))).to.have.length(1);
    expect(faultsOf({ type: 'view', match: { op: 'eq', value: 'a' } })[0]?.[0]).to.equal('type');
  });

  it('refuses conditions on anything but properties, values where none is due, and texts where numbers are', () => {
    expect(faultsOf(under({ field: 'country', op: 'eq', value: 'DE' }))).to.deep.equal([
      ['conditions.0.field', 'Allowed: properties.<key>.'],
    ]);
    expect(faultsOf(under({ field: 'properties.a', op: 'present', value: 1 }))).to.deep.equal([
      ['conditions.0.value', 'The operator present takes no value.'],
    ]);
    expect(faultsOf(under({ field: 'properties.a', op: 'gt', value: '1' }))).to.deep.equal([
      ['conditions.0.value', 'The operator gt takes a number.'],
    ]);
    expect(faultsOf(under({ field: 'properties.a', op: 'eq' }))).to.deep.equal([
      ['conditions.0.value', 'The operator eq takes a value.'],
    ]);
    expect(
      faultsOf({
        ...under({ field: 'properties.a', op: 'present' }),
        conditions: Array(6).fill({ field: 'properties.a', op: 'present' }),
      })[0]?.[0],
    ).to.equal('conditions');
  });
});
