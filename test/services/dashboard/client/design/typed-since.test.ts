/** What a form keeps after its answer. */
import { expect } from 'chai';
import { typedSince } from '../../../../../services/dashboard/client/design/typed-since.ts';

describe('what was typed since a form was sent', () => {
  it('is what differs from what was sent, and what was not sent at all', () => {
    const typed = { name: 'sent', zone: 'changed later', isOpen: false };
    expect(typedSince<typeof typed>({ name: 'sent', zone: 'sent' }, typed)).to.deep.equal({
      zone: 'changed later',
      isOpen: false,
    });
  });

  it('is nothing when nothing was typed', () => {
    expect(typedSince({ name: 'sent' }, { name: 'sent' })).to.deep.equal({});
  });
});
