/** What visits of a website do one after another, in every language. */
import { screenTexts } from '../../texts/screen-texts.ts';
import { en } from './texts-en.ts';

/** In the language that the pages speak. */
export const journeysTexts = screenTexts({ en, de: async () => (await import('./texts-de.ts')).de });
