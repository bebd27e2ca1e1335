/** The other screens of the dashboard as they look: a key, organization and account, and those before a login. */
import type { Page } from 'playwright-core';
import { answerInvitation, describeLooks, loading, unanswered } from '../../../support/dashboard-looks.ts';
import { makeFlag } from '../../../support/made-flag.ts';

const heading = (name: string) => (page: Page) => page.getByRole('heading', { level: 1, name });

describeLooks(
  'the looks of the other screens',
  [
    {
      name: 'login',
      path: '/dashboard/login',
      isPublic: true,
      shows: (page) => page.getByRole('button', { name: 'Log in' }),
    },
    {
      name: 'invitation',
      path: '/dashboard/accept#made-up',
      isPublic: true,
      prepare: answerInvitation,
      shows: (page) => page.getByRole('button', { name: 'Make an account' }),
    },
    {
      name: 'invitation that is used up',
      path: '/dashboard/accept#made-up',
      isPublic: true,
      isRefused: true,
      shows: (page) => page.getByText('This invitation is used up, expired or withdrawn.'),
    },
    {
      name: 'reset of a password',
      path: '/dashboard/reset#made-up',
      isPublic: true,
      shows: (page) => page.getByRole('button', { name: 'Set password' }),
    },
    {
      name: 'new key',
      path: '/dashboard/keys/new',
      shows: (page) => page.getByRole('button', { name: 'Continue' }),
    },
    loading('key', '/dashboard/keys/key_two'),
    {
      name: 'key',
      path: '/dashboard/keys/key_two',
      shows: (page) => page.getByRole('button', { name: 'Revoke' }).first(),
    },
    loading('flag', '/dashboard/flags/flg_any'),
    {
      name: 'new flag',
      path: '/dashboard/flags/new',
      shows: (page) => page.getByRole('button', { name: 'Create' }),
    },
    {
      name: 'flag that is tried',
      path: '/dashboard/flags/FLAG?try=yes&userId=ada',
      shows: (page) => page.locator('.facts dd').first(),
    },
    {
      name: 'flag that is gone',
      path: '/dashboard/flags/flg_gone',
      isRefused: true,
      shows: (page) => page.getByText('There is nothing at this address.'),
    },
    {
      name: 'target group',
      path: '/dashboard/flags/groups?group=GROUP',
      shows: (page) => page.getByRole('button', { name: 'Find them' }),
    },
    loading('organization', '/dashboard/organization'),
    {
      name: 'organization',
      path: '/dashboard/organization',
      shows: (page) => page.getByRole('columnheader', { name: 'Requests' }),
    },
    {
      name: 'account, loading',
      path: '/dashboard/account',
      prepare: unanswered,
      shows: (page) => page.locator('main .skeleton'),
    },
    { name: 'account', path: '/dashboard/account', shows: (page) => page.getByText('This session').first() },
    {
      name: 'nothing there',
      path: '/dashboard/nowhere',
      shows: heading('There is nothing at this address.'),
    },
  ],
  async ({ server }) => {
    const { id, groupId } = await makeFlag(server, 'covers');
    return { FLAG: id, GROUP: groupId };
  },
);
