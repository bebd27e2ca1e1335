/** The language that the pages speak, and the texts in it: one typed module per language, so that a missing text is a compile error. */
import { signal } from '@preact/signals';
import type { Texts } from './pattern.ts';

/** Each language by its name in itself. A new one is one folder beside `en`, one line here and one in `load` of speak.ts. */
export const LANGUAGES = { en: 'English', de: 'Deutsch' } as const;
export type Language = keyof typeof LANGUAGES;

export const CHOSEN = 'tidegate-language';

export const language = signal<Language>('en');
/** Filled before anything is drawn. */
export const texts = signal({} as Texts);

/** Draws everything in a language, whose texts are there. */
export function show(wanted: Language, loaded: Texts): void {
  texts.value = loaded;
  language.value = wanted;
  document.documentElement.lang = wanted;
}

/** The language that was chosen here, else the first of the browser's that there is, else English. */
export function preferred(): Language {
  let chosen: string | null = null;
  try {
    chosen = localStorage.getItem(CHOSEN);
  } catch {
    // Storage is off.
  }
  const wishes = [chosen ?? '', ...navigator.languages].map((tag) => tag.slice(0, 2).toLowerCase());
  return wishes.find((tag): tag is Language => Object.hasOwn(LANGUAGES, tag)) ?? 'en';
}
