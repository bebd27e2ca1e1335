/** Texts that only one screen needs: they are loaded with it, every language, and so add nothing to the first page. */
import { computed, type ReadonlySignal } from '@preact/signals';
import { type Language, language } from './texts.ts';

/** The texts in the language that the pages speak. A language that lacks some of them is a compile error. */
export function screenTexts<Texts>(all: Readonly<Record<Language, Texts>>): ReadonlySignal<Texts> {
  return computed(() => all[language.value]);
}
