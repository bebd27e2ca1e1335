/** Where the built pages lie: those of the dashboard, and that of shares. */
import { fileURLToPath } from 'node:url';

/** `dist/services/dashboard/pages/`, beside this compiled module. */
export const PAGES_FOLDER = fileURLToPath(new URL('./pages/', import.meta.url));
export const SHARE_FOLDER = fileURLToPath(new URL('./share/', import.meta.url));
