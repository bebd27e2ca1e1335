/** The screens of links as they look: the list while it loads, empty and full, one link, its settings, and a new one. */
import { answerNothing, describeLooks, loading } from '../../../support/dashboard-looks.ts';
import { followedLink } from '../../../support/made-link.ts';

let linkId = '';

describeLooks(
  'the looks of links',
  [
    loading('links', '/dashboard/links'),
    {
      name: 'links, none yet',
      path: '/dashboard/links',
      prepare: answerNothing('/v1/links'),
      shows: (page) => page.getByText('Make your first link'),
    },
    {
      name: 'links',
      path: '/dashboard/links',
      shows: (page) => page.getByRole('link', { name: 'Poster at the station' }),
    },
    {
      name: 'a link',
      get path() {
        return `/dashboard/links/${linkId}`;
      },
      shows: (page) => page.getByRole('row', { name: 'news.example.org' }),
    },
    {
      name: 'the settings of a link',
      get path() {
        return `/dashboard/links/${linkId}?tab=settings`;
      },
      shows: (page) => page.getByRole('button', { name: 'Delete link …' }),
    },
    {
      name: 'a new link',
      path: '/dashboard/links/new',
      shows: (page) => page.getByRole('button', { name: 'Make link' }),
    },
  ],
  async ({ server }) => {
    linkId = await followedLink(server);
  },
);
