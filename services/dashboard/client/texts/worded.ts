/** What is said to people: in their language, or in English where the API alone has words for it. */
import { texts } from './texts.ts';

/** A text in the language of the pages, or one that is drawn as the English that it is. */
export type Words = string | { readonly english: string };

/** A sentence of the API in the reader's language, as far as the catalogue knows it. */
export function worded(sentence: string): Words {
  return texts.value.refusal(sentence) ?? { english: sentence };
}
