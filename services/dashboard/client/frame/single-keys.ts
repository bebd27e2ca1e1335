/** Whether single keys do something: until somebody turns them off here, as readers of the screen and speech need (WCAG 2.1.4). */
import { signal } from '@preact/signals';

const CHOSEN = 'tidegate-single-keys';

function chosen(): boolean {
  try {
    return localStorage.getItem(CHOSEN) !== 'off';
  } catch {
    return true;
  }
}

export const areSingleKeysOn = signal(chosen());

export function turnSingleKeys(isOn: boolean): void {
  areSingleKeysOn.value = isOn;
  try {
    localStorage.setItem(CHOSEN, isOn ? 'on' : 'off');
  } catch {
    // Storage is off: the choice lasts as long as the page.
  }
}
