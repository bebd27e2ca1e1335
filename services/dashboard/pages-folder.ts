/** Where the built pages of the dashboard lie. */
import { fileURLToPath } from 'node:url';

/** `dist/services/dashboard/pages/`, beside this compiled module. */
export const PAGES_FOLDER = fileURLToPath(new URL('./pages/', import.meta.url));
