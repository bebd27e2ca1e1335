/** The websites of a key: only a list that was asked for now tells which of them are deleted. */
import { expect } from 'chai';
import { namesOf } from '../../../../../../services/dashboard/client/screens/keys/website-names.ts';

const SHOP = { id: 'web_shop', name: 'Shop' };
const IDS = ['web_shop', 'web_other'];

describe('the websites of a key', () => {
  it('are not known before the list is there', () => {
    expect([...namesOf(IDS, undefined, false)]).to.deep.equal([]);
  });

  it('are deleted when a list of now lacks them, and unknown when a kept one does', () => {
    expect([...namesOf(IDS, [SHOP], false)]).to.deep.equal([
      ['web_shop', 'Shop'],
      ['web_other', null],
    ]);
    expect([...namesOf(IDS, [SHOP], true)]).to.deep.equal([['web_shop', 'Shop']]);
  });
});
