/** What a stop of a journey is called: paths and names as they are, what is not shown by itself in words. */
import { named } from '../../texts/format.ts';
import { journeysTexts } from './texts.ts';

export function stopText(type: string, name: string): string {
  return type === 'other' ? journeysTexts.value.others : named(name);
}
