/** What the API says of a limit, in words: its window, what it counts, and who has a budget of their own. What has no words stays as it is. */
import { texts } from './texts.ts';

/** `60 s` is the same in every language; `day (UTC)` is not. */
export const windowText = (window: string): string => texts.value.limits.windows[window] ?? window;

/** `requests` of a counter, and `request` of the configuration. */
export function countsText(counts: string): string {
  return texts.value.limits.units[counts === 'request' ? 'requests' : counts] ?? counts;
}

/** Such as `organization`, `header X-Customer (100 for all values of an organization)` or `claim user`. */
export function subjectText(subject: string): string {
  const { subjects, header, headerTotal, claim } = texts.value.limits;
  const [, name, total] =
    /^header (\S+)(?: \((\d+) for all values of an organization\))?$/.exec(subject) ?? [];
  if (name !== undefined) return total === undefined ? header(name) : headerTotal(name, Number(total));
  const [, what] = /^claim (\S+)$/.exec(subject) ?? [];
  return what === undefined ? (subjects[subject] ?? subject) : claim(subjects[what] ?? what);
}
