/** Words of the settings of a website that no other screen needs, in every language. */
import { screenTexts } from '../../texts/screen-texts.ts';

const en = { sharing: 'Sharing' };
const de: typeof en = { sharing: 'Teilen' };

/** In the language that the pages speak. */
export const settingsTexts = screenTexts({ en, de });
