/** Builds the dashboard's pages and the page of shares; the build runs it once the services are compiled. */
import { fileURLToPath } from 'node:url';
import { PAGES_FOLDER, SHARE_FOLDER } from '../pages-folder.ts';
import { buildPages } from './build-pages.ts';
import { buildShare } from './build-share.ts';

// What runs is in dist/services/dashboard/build; the sources of the pages are compiled here for the first time.
const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));

const client = `${ROOT}services/dashboard/client/`;
await buildPages({ client, root: ROOT, folder: PAGES_FOLDER });
await buildShare({ client, root: ROOT, folder: SHARE_FOLDER });
