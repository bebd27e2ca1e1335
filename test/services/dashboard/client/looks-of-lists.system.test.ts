/** The lists of the dashboard as they look: while they load, empty and full. */
import { answerNothing, describeLooks, loading } from '../../../support/dashboard-looks.ts';
import { addMember } from '../../../support/dashboard-members.ts';
import { makeFlag } from '../../../support/made-flag.ts';

const NONE = '?search=nothing-is-called-so';

describeLooks(
  'the looks of the lists',
  [
    loading('websites', '/dashboard'),
    {
      name: 'websites, none yet',
      path: '/dashboard',
      prepare: answerNothing('/v1/websites'),
      shows: (page) => page.getByText('Add your first website'),
    },
    {
      name: 'websites',
      path: '/dashboard',
      shows: (page) => page.getByRole('link', { name: 'Shop' }).first(),
    },
    loading('keys', '/dashboard/keys'),
    {
      name: 'keys, none found',
      path: `/dashboard/keys${NONE}`,
      shows: (page) => page.locator('main .empty'),
    },
    { name: 'keys', path: '/dashboard/keys', shows: (page) => page.getByRole('link', { name: 'two' }) },
    loading('flags', '/dashboard/flags'),
    {
      name: 'flags, none yet',
      path: '/dashboard/flags',
      prepare: answerNothing('/v1/flags'),
      shows: (page) => page.getByRole('heading', { name: 'No flag yet' }),
    },
    {
      name: 'flags',
      path: '/dashboard/flags',
      shows: (page) => page.getByRole('link', { name: 'covers', exact: true }),
    },
    {
      name: 'target groups',
      path: '/dashboard/flags/groups',
      shows: (page) => page.getByRole('link', { name: 'Covers' }),
    },
    loading('members', '/dashboard/members'),
    {
      name: 'members, none found',
      path: `/dashboard/members${NONE}`,
      shows: (page) => page.getByText('This search finds nobody.'),
    },
    {
      name: 'members',
      path: '/dashboard/members',
      shows: (page) => page.getByRole('button', { name: 'Reset password' }).first(),
    },
    loading('audit', '/dashboard/audit'),
    {
      name: 'audit, none found',
      path: `/dashboard/audit${NONE}`,
      shows: (page) => page.locator('main .empty'),
    },
    {
      name: 'audit',
      path: '/dashboard/audit',
      shows: (page) => page.getByRole('cell', { name: 'Logged in' }).first(),
    },
  ],
  async ({ server }) => {
    await addMember(server, 'viewer');
    await addMember(server, 'admin');
    await makeFlag(server, 'covers');
  },
);
