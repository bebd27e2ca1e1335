/** The few texts of the dashboard that the page of a share draws with, so that its script need not hold all of them. */
import { states as deStates } from '../texts/de/states.ts';
import { words as deWords } from '../texts/de/words.ts';
import { states } from '../texts/en/states.ts';
import { words } from '../texts/en/words.ts';
import type { Texts } from '../texts/pattern.ts';
import { type Language, show } from '../texts/texts.ts';
import type { Section } from './text-sections.ts';

const refusal = (_sentence: string): string | undefined => undefined;
const TEXTS: Readonly<Record<Language, Pick<Texts, Section>>> = {
  en: { words, states, refusal },
  de: { words: deWords, states: deStates, refusal },
};

export function speakShare(language: Language): void {
  show(language, TEXTS[language] as Texts);
}
