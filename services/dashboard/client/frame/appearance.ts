/** Light or dark: as the system says, until somebody chooses here. */
import { signal } from '@preact/signals';

export const APPEARANCES = ['system', 'light', 'dark'] as const;
export type Appearance = (typeof APPEARANCES)[number];

const CHOSEN = 'tidegate-appearance';

export const appearance = signal<Appearance>('system');

function show(wanted: Appearance): void {
  appearance.value = wanted;
  if (wanted === 'system') delete document.documentElement.dataset.appearance;
  else document.documentElement.dataset.appearance = wanted;
}

/** Shows the appearance that was chosen in this browser. */
export function showChosen(): void {
  try {
    const chosen = localStorage.getItem(CHOSEN);
    show(APPEARANCES.find((each) => each === chosen) ?? 'system');
  } catch {
    show('system');
  }
}

export function chooseAppearance(wanted: Appearance): void {
  show(wanted);
  try {
    localStorage.setItem(CHOSEN, wanted);
  } catch {
    // Storage is off: the choice lasts as long as the page.
  }
}
