/** A funnel in the reader's words: its steps, and how they are to be taken. */
import type { FunnelView } from '../../api/wire.ts';
import { language } from '../../texts/texts.ts';
import { matchText } from '../paths/match-text.ts';
import { windowOf } from './draft.ts';
import { funnelTexts } from './texts.ts';

/** The name of a step, or what it matches. */
export function stepName({ name, ...match }: FunnelView['steps'][number]): string {
  return name ?? [match.match.value].flat().join(', ');
}

/** Such as `at most 7 days, in any order`. */
export function rulesText({ windowSeconds, ordered, exclude }: FunnelView): string {
  const t = funnelTexts.value;
  const { count, unit } = windowOf(windowSeconds);
  const span = new Intl.NumberFormat(language.value, {
    ...{ style: 'unit', unit: unit.slice(0, -1), unitDisplay: 'long' },
  });
  return [
    t.atMost(span.format(count)),
    ...(ordered ? [] : [t.anyOrder]),
    ...(exclude ? [t.except(matchText(exclude))] : []),
  ].join(', ');
}
