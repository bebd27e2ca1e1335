/** Operators: only whoever runs the service makes one, of an account that is surely the person's. */
import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { setOperator } from '../../../../services/resources/users/write-user.ts';
import { createMemoryDocumentStore } from '../../../support/memory-document-store.ts';
import { rejection } from '../../../support/rejection.ts';
import { createTestClock } from '../../../support/test-clock.ts';

describe('operators', () => {
  const setUp = () => {
    const documents = createMemoryDocumentStore(createTestClock('2026-01-15T09:30:00.000Z'));
    const insert = (id: string, home: string) =>
      documents.users.insert({
        id,
        organizationId: id,
        email: 'ada@example.com',
        home,
        passwordHash: randomBytes(4).toString('hex'),
      });
    return { documents, insert };
  };

  it('are made and unmade by address or by id', async () => {
    const { documents, insert } = setUp();
    await insert('usr_1', '*');
    expect(await setOperator({ documents }, 'Ada@example.com', true)).to.deep.equal({
      userId: 'usr_1',
      email: 'ada@example.com',
      isOperator: true,
    });
    expect((await documents.users.get('usr_1', 'usr_1'))?.isOperator).to.equal(true);
    await setOperator({ documents }, 'usr_1', false);
    expect((await documents.users.get('usr_1', 'usr_1'))?.isOperator).to.equal(false);
  });

  it('are not made of an account that only an invitation made, which may be anybody', async () => {
    const { documents, insert } = setUp();
    await insert('usr_1', 'org_one');
    const refused = await rejection(setOperator({ documents }, 'ada@example.com', true));
    expect(refused).to.include({ code: 'CONFLICT' });
    expect(String(refused)).to.include('tidegate users reset-password');
    expect((await documents.users.get('usr_1', 'usr_1'))?.isOperator).to.equal(undefined);
    expect(await rejection(setOperator({ documents }, 'joan@example.com', true))).to.include({
      code: 'NOT_FOUND',
    });
  });
});
