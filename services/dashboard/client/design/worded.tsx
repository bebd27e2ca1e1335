/** Draws a text that may be the API's own English: told to readers of the screen as such, and apart from the text around it. */
import type { Words } from '../texts/worded.ts';

export function Worded({ text }: { text: Words }) {
  return typeof text === 'string' ? <bdi>{text}</bdi> : <bdi lang="en">{text.english}</bdi>;
}
