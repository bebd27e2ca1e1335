/** The texts of this screen, loaded with it. */
import { screenTexts } from '../../texts/screen-texts.ts';
import { en } from './texts-en.ts';

/** In the language that the pages speak. */
export const accountTexts = screenTexts({ en, de: async () => (await import('./texts-de.ts')).de });
