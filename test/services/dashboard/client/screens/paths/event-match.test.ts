/** Checks what matches an event between a form, an address and the API, which takes all of it. */
import { expect } from 'chai';
import type { EventMatch } from '../../../../../../services/dashboard/client/api/wire.ts';
import {
  choiceOf,
  choiceText,
} from '../../../../../../services/dashboard/client/screens/paths/event-choice.ts';
import {
  CONDITION_OPERATORS,
  draftOf,
  matchOf,
  NEW_MATCH,
  OPERATORS,
} from '../../../../../../services/dashboard/client/screens/paths/event-match.ts';
import {
  CONDITION_OPERATORS as API_CONDITION_OPERATORS,
  MATCH_OPERATORS as API_OPERATORS,
  eventMatchSchema,
} from '../../../../../../services/shared/model/event-match.ts';

const MATCH: EventMatch = {
  type: 'event',
  match: { op: 'in', value: ['signup', 'trial'] },
  conditions: [
    { field: 'properties.plan', op: 'eq', value: 'pro' },
    { field: 'properties.a.b', op: 'not_in', value: ['1', '2'] },
    { field: 'properties.total', op: 'gte', value: 9.5 },
    { field: 'properties.coupon', op: 'missing' },
  ],
};

describe('what matches an event', () => {
  it('has every operator of the API', () => {
    expect(OPERATORS).to.deep.equal(API_OPERATORS);
    expect(CONDITION_OPERATORS).to.deep.equal(API_CONDITION_OPERATORS);
  });

  it('comes back from its form and from an address as the API takes it', () => {
    expect(eventMatchSchema.parse(MATCH)).to.deep.equal(MATCH);
    expect(matchOf(draftOf(MATCH))).to.deep.equal(MATCH);
    expect(choiceOf(choiceText(MATCH))).to.deep.equal(MATCH);
    expect(choiceOf(choiceText({ goalId: 'gol_1' }))).to.deep.equal({ goalId: 'gol_1' });
    expect(choiceText(undefined)).to.equal(undefined);
  });

  it('leaves what is no number to the API, which says so', () => {
    const conditions = [{ row: 0, key: 'total', op: 'gt', value: 'much' } as const];
    const made = matchOf({ ...NEW_MATCH, value: '/', conditions });
    expect(made.conditions).to.deep.equal([{ field: 'properties.total', op: 'gt', value: 'much' }]);
    expect(eventMatchSchema.safeParse(made).error?.issues.map(({ path }) => path.join('.'))).to.deep.equal([
      'conditions.0.value',
    ]);
  });

  it('reads nothing out of an address that makes no sense', () => {
    for (const text of [
      undefined,
      '',
      '[',
      '{}',
      '["goal"]',
      '["goal",7]',
      '["constructor","eq","/"]',
      '["page","near","/"]',
      '["page","eq",""]',
      '["page","eq",["/a"]]',
      '["page","in",[]]',
      '["page","eq","/",["plan","eq"]]',
      '["page","eq","/",["total","gt","9"]]',
      '["page","eq","/",["","missing"]]',
      JSON.stringify(['page', 'eq', '/', ...Array.from({ length: 6 }, () => ['a', 'missing'])]),
    ]) {
      expect(choiceOf(text), text).to.equal(undefined);
    }
  });
});
