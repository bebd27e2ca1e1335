/** The language that the pages speak: one typed module per language, so that a missing text is a compile error. */
import { signal } from '@preact/signals';
import { en } from './en/index.ts';
import type { Texts } from './pattern.ts';

/** Each language by its name in itself. A new one is one folder beside `en` and one line here and in {@link load}. */
export const LANGUAGES = { en: 'English', de: 'Deutsch' } as const;
export type Language = keyof typeof LANGUAGES;

const CHOSEN = 'tidegate-language';

export const language = signal<Language>('en');
export const texts = signal<Texts>(en);

/** Loads a language's texts; English is there from the start. */
async function load(wanted: Language): Promise<Texts> {
  if (wanted === 'de') return (await import('./de/index.ts')).de;
  return en;
}

export async function speak(wanted: Language): Promise<void> {
  // When the texts cannot be loaded, the pages go on in the language that they speak.
  const loaded = await load(wanted).catch(() => null);
  if (loaded === null) return;
  texts.value = loaded;
  language.value = wanted;
  document.documentElement.lang = wanted;
}

/** Speaks a language from now on, in this browser. */
export async function choose(wanted: Language): Promise<void> {
  try {
    localStorage.setItem(CHOSEN, wanted);
  } catch {
    // Storage is off: the choice lasts as long as the page.
  }
  await speak(wanted);
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
