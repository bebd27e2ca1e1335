/** What matches an event, in the reader's words. */
import type { EventMatch } from '../../api/wire.ts';
import { drillTexts } from '../../drill/texts.ts';
import { formatList } from '../../texts/format.ts';
import { PREFIX } from './event-match.ts';
import { pathsTexts } from './texts.ts';

export function operatorText(op: string): string {
  const words: Readonly<Record<string, string>> = {
    ...drillTexts.value.operators,
    ...pathsTexts.value.operators,
  };
  return words[op] ?? op;
}

/** Such as `Page is /cart, plan is pro`. */
export function matchText({ type, match, conditions = [] }: EventMatch): string {
  const said = (subject: string, op: string, value: unknown) =>
    [subject, operatorText(op), value === undefined ? '' : formatList([value].flat().map(String))]
      .filter((part) => part !== '')
      .join(' ');
  return [
    said(pathsTexts.value.types[type], match.op, match.value),
    ...conditions.map(({ field, op, value }) => said(field.slice(PREFIX.length), op, value)),
  ].join(', ');
}
