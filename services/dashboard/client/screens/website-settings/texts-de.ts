/** Words of the settings of a website that no other screen needs, in German. */
import type { en } from './texts-en.ts';

export const de: typeof en = { sharing: 'Teilen' };
