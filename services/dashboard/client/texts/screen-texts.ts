/**
 * Texts that only one screen needs: English is loaded with the screen, another language beside it once somebody speaks it. So they add
 * nothing to the first page, and cost only who reads them.
 */
import { computed, type ReadonlySignal, signal } from '@preact/signals';
import { type Language, language } from './texts.ts';

/** Texts that are there, or that are loaded when they are wanted. */
type Wanted<Texts> = Texts | (() => Promise<Texts>);

/** Loads what a screen that is loaded lacks of a language. */
const lacking = new Set<(wanted: Language) => Promise<void>>();

/** The texts in the language that the pages speak. A language that lacks some of them is a compile error. */
export function screenTexts<Texts extends object>(
  all: { readonly en: Texts } & Readonly<Record<Language, Wanted<Texts>>>,
): ReadonlySignal<Texts> {
  const loaded = signal<Partial<Record<Language, Texts>>>({});
  lacking.add(async (wanted) => {
    const load = all[wanted];
    if (typeof load !== 'function' || loaded.peek()[wanted] !== undefined) return;
    const texts = await load();
    loaded.value = { ...loaded.peek(), [wanted]: texts };
  });
  return computed(() => {
    const texts = all[language.value];
    // What could not be loaded is said in English.
    return typeof texts === 'function' ? (loaded.value[language.value] ?? all.en) : texts;
  });
}

/** Waits until every screen that is loaded has its texts of a language, as far as they can be loaded. */
export async function textsOfScreens(wanted: Language = language.value): Promise<void> {
  await Promise.allSettled([...lacking].map((load) => load(wanted)));
}
