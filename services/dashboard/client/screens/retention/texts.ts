/** How many visitors of a website come back, in every language. */
import { screenTexts } from '../../texts/screen-texts.ts';
import { en } from './texts-en.ts';

/** In the language that the pages speak. */
export const retentionTexts = screenTexts({ en, de: async () => (await import('./texts-de.ts')).de });
