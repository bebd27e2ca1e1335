/** Builds the dashboard's pages; the build runs it once the services are compiled. */
import { fileURLToPath } from 'node:url';
import { PAGES_FOLDER } from '../pages-folder.ts';
import { buildPages } from './build-pages.ts';

// What runs is in dist/services/dashboard/build; the sources of the pages are compiled here for the first time.
const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));

await buildPages({ client: `${ROOT}services/dashboard/client/`, root: ROOT, folder: PAGES_FOLDER });
