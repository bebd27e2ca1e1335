/** Loads the texts of a language, and lets the pages speak it; English is there from the start. */
import { en } from './en/index.ts';
import type { Texts } from './pattern.ts';
import { textsOfScreens } from './screen-texts.ts';
import { CHOSEN, type Language, show, texts } from './texts.ts';

texts.value = en;

async function load(wanted: Language): Promise<Texts> {
  if (wanted === 'de') return (await import('./de/index.ts')).de;
  return en;
}

export async function speak(wanted: Language): Promise<void> {
  // When the texts cannot be loaded, the pages go on in the language that they speak.
  const [loaded] = await Promise.all([load(wanted).catch(() => null), textsOfScreens(wanted)]);
  if (loaded !== null) show(wanted, loaded);
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
