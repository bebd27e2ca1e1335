/** The annotations that the line of the overview marks: none until somebody shows them. */
import { signal } from '@preact/signals';
import type { Mark } from './marks.ts';

export const shownMarks = signal<readonly Mark[]>([]);
