/** Checks which sessions a number leads to: the filters of an address that say what was counted, as far as they can. */
import { expect } from 'chai';
import type { EventMatch } from '../../../../../../services/dashboard/client/api/wire.ts';
import {
  behindAll,
  behindMatch,
} from '../../../../../../services/dashboard/client/screens/paths/sessions-behind.ts';
import {
  type Filter,
  filtersOf,
  filtersText,
  MOST_FILTERS,
} from '../../../../../../services/dashboard/client/website/scene-filters.ts';

const page = (op: EventMatch['match']['op'], value: string | string[]): EventMatch => ({
  type: 'page',
  match: { op, value },
});
const filter = (operator: Filter['operator'], value: string): Filter => ({
  dimension: 'path',
  operator,
  value,
  of: 'session',
});

describe('the sessions behind a number', () => {
  it('have the page or event that was counted', () => {
    const behind = (op: EventMatch['match']['op'], value: string | string[]) =>
      behindMatch(page(op, value), 'session').filters;
    expect(behind('eq', '/a')).to.deep.equal([filter('eq', '/a')]);
    expect(behind('contains', '/a')).to.deep.equal([filter('contains', '/a')]);
    expect(behind('starts_with', '/a')).to.deep.equal([filter('starts_with', '/a')]);
    expect(behind('matches', '^/a')).to.deep.equal([filter('matches', '^/a')]);
    expect(behind('in', ['/a'])).to.deep.equal([filter('eq', '/a')]);
    expect(behind('in', ['/a', '/b.c'])).to.deep.equal([filter('matches', '^(?:/a|/b\\.c)$')]);
    expect(behind('ends_with', '/a?')).to.deep.equal([filter('matches', '/a\\?$')]);
  });

  it('are found again from an address, with conditions, of visitors, and of those that lack an event', () => {
    const match: EventMatch = {
      type: 'event',
      match: { op: 'eq', value: 'signup' },
      conditions: [
        { field: 'properties.plan', op: 'ne', value: 'pro' },
        { field: 'properties.coupon', op: 'missing' },
      ],
    };
    const { filters, isWhole } = behindMatch(match, 'visitor');
    expect(isWhole).to.equal(true);
    expect(
      filters.map(({ dimension, operator, value, of }) => [dimension, operator, value, of]),
    ).to.deep.equal([
      ['event', 'eq', 'signup', 'visitor'],
      ['properties.plan', 'ne', 'pro', 'visitor'],
      ['properties.coupon', 'missing', '', 'visitor'],
    ]);
    expect(filtersOf(filtersText(filters))).to.deep.equal(filters);
    const lacking = behindMatch(page('eq', '/a'), 'no_visitor');
    expect(lacking.filters).to.deep.equal([{ ...filter('eq', '/a'), of: 'no_visitor' }]);
    expect(filtersOf(filtersText(lacking.filters))).to.deep.equal(lacking.filters);
    expect(behindMatch(match, 'no_visitor')).to.deep.equal({ filters: [], isWhole: false });
  });

  it('say when filters cannot tell all', () => {
    const conditions: EventMatch['conditions'] = [{ field: 'properties.total', op: 'gt', value: 9 }];
    const partly = behindMatch({ ...page('eq', '/a'), conditions }, 'session');
    expect(partly).to.deep.equal({ filters: [filter('eq', '/a')], isWhole: false });
    expect(
      behindMatch(
        page(
          'in',
          Array.from({ length: 99 }, (_, each) => `/${each}`),
        ),
        'session',
      ),
    ).to.deep.equal({
      filters: [],
      isWhole: false,
    });
    const many = Array.from({ length: 25 }, (_, each) => behindMatch(page('eq', `/${each}`), 'session'));
    expect(behindAll([filter('eq', '/')], many)).to.include({ isWhole: false });
    expect(behindAll([filter('eq', '/')], many).filters).to.have.length(MOST_FILTERS);
    expect(behindAll([filter('eq', '/0')], many.slice(0, 2))).to.deep.equal({
      filters: [filter('eq', '/0'), filter('eq', '/1')],
      isWhole: true,
    });
  });
});
