/** The one website that a query call names, wherever it names it. */
import { expect } from 'chai';
import { LONGEST_SELECTOR, queriedWebsite } from '../../../../services/shared/access/query-selectors.ts';

describe('the website that a query names', () => {
  const cases: [text: string, query: Record<string, unknown>, body: unknown, website: string | null][] = [
    ['in the query string', { website_id: 'a' }, undefined, 'a'],
    ['in its other spelling', { websiteId: 'a' }, {}, 'a'],
    ['in the body', {}, { website_id: 'a' }, 'a'],
    ['in both, the same', { website_id: 'a' }, { websiteId: 'a' }, 'a'],
    ['in each object of a batch', {}, [{ website_id: 'a' }, { websiteId: 'a' }], 'a'],
    ['in the query string for all of a batch', { website_id: 'a' }, [{}, {}], 'a'],
    ['in the query string for some of a batch', { website_id: 'a' }, [{ website_id: 'a' }, {}], 'a'],
    ['beside a link', { website_id: 'a', link_id: 'l' }, undefined, 'a'],
    ['in the query string of an empty batch', { website_id: 'a' }, [], 'a'],
    ['nowhere', {}, undefined, null],
    ['nowhere in an empty batch', {}, [], null],
    ['in one object of a batch only', {}, [{ website_id: 'a' }, {}], null],
    ['as several', {}, [{ website_id: 'a' }, { website_id: 'b' }], null],
    ['twice in the query string', { website_id: ['a', 'b'] }, undefined, null],
    ['differently in two spellings', { website_id: 'a', websiteId: 'b' }, undefined, null],
    ['as no text', {}, { website_id: 7 }, null],
    ['as nothing', { website_id: '' }, undefined, null],
    ['too long', { website_id: 'a'.repeat(LONGEST_SELECTOR + 1) }, undefined, null],
    ['by a property that each object inherits', {}, Object.create({ website_id: 'a' }), null],
  ];
  for (const [text, query, body, website] of cases) {
    it(`${text}: ${website ?? 'none'}`, () => expect(queriedWebsite(query, body)).to.equal(website));
  }
});
