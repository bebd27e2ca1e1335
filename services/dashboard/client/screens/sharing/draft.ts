/** A share as its form holds it, what is missing in it, and what the API is told of it: of a change, only what differs. */
import type { Fault } from '../../api/fault.ts';
import type { ShareView } from '../../api/wire.ts';
import { DRAWN, SERIES, TOTALS } from '../../share/shown-lists.ts';
import { dayOf, endOfDay } from '../../texts/days.ts';

export interface Draft {
  readonly name: string;
  /** `view:` and the identifier of a saved view, or `preset:` and a range for which a view is made. */
  readonly shown: string;
  /** Of those that have a box to tick. */
  readonly datasets: readonly string[];
  /** Names of others, one a line. */
  readonly further: string;
  readonly isLocked: boolean;
  /** Empty in a change: the password that there is stays. */
  readonly password: string;
  /** The last day, as `2027-01-31`; empty: it does not end. */
  readonly lastDay: string;
  /** One origin a line. */
  readonly origins: string;
}

/** What is wrong with a field, by the name of its text. */
export type Missing = 'nameMissing' | 'datasetsMissing' | 'passwordMissing' | 'lastDayMissing';
export type Faults = Readonly<Partial<Record<'name' | 'datasets' | 'password' | 'expiresAt', Missing>>>;

const SHORTEST_PASSWORD = 8;
/** What is ticked before anybody chose; paths and what stands in them are left to those who think of it. */
const USUAL: readonly string[] = [TOTALS, SERIES, 'session_channels', 'countries', 'device_types'];

export const NEW: Draft = {
  name: '',
  shown: 'preset:last_30d',
  datasets: USUAL,
  further: '',
  isLocked: false,
  password: '',
  lastDay: '',
  origins: '',
};

export function draftOf(
  { name, view, datasets, hasPassword, expiresAt, origins }: ShareView,
  zone: string,
): Draft {
  return {
    name,
    shown: `view:${view}`,
    datasets: datasets.filter((each) => DRAWN.includes(each)),
    further: datasets.filter((each) => !DRAWN.includes(each)).join('\n'),
    isLocked: hasPassword,
    password: '',
    lastDay: expiresAt === null ? '' : dayOf(Date.parse(expiresAt), zone),
    origins: origins.join('\n'),
  };
}

/** What is missing, so that it is said before the API is asked, which judges the rest. `before`: the share that is changed. */
export function faultsOf(draft: Draft, before: ShareView | null, zone: string, now: number): Faults {
  const end = endOfDay(draft.lastDay, zone);
  const isOver = draft.lastDay !== '' && (end === null || end <= now);
  const isKept = before?.hasPassword === true && draft.password === '';
  return {
    ...(draft.name.trim() === '' && { name: 'nameMissing' }),
    ...(datasetsOf(draft).length === 0 && { datasets: 'datasetsMissing' }),
    ...(draft.isLocked &&
      !isKept &&
      draft.password.length < SHORTEST_PASSWORD && { password: 'passwordMissing' }),
    // What has ended already may stay so.
    ...(isOver && draft.lastDay !== lastDayOf(before, zone) && { expiresAt: 'lastDayMissing' }),
  };
}

/** The fields of a new share, besides its website and view. */
export function bodyOf(draft: Draft, zone: string): Record<string, unknown> {
  return {
    name: draft.name,
    datasets: datasetsOf(draft),
    expiresAt: expiryOf(draft, zone),
    password: draft.isLocked ? draft.password : null,
    origins: linesOf(draft.origins),
  };
}

/** The fields that turn `before` into the draft, besides the view; none when nothing differs. */
export function changesOf(draft: Draft, before: ShareView, zone: string): Record<string, unknown> {
  const { name, datasets, origins, expiresAt } = bodyOf(draft, zone);
  const isSet = (list: unknown, was: readonly string[]) =>
    JSON.stringify([...(list as string[])].sort()) !== JSON.stringify([...was].sort());
  return {
    ...(name !== before.name && { name }),
    ...(isSet(datasets, before.datasets) && { datasets }),
    ...(isSet(origins, before.origins) && { origins }),
    ...(draft.lastDay !== lastDayOf(before, zone) && { expiresAt }),
    ...(draft.isLocked && draft.password !== '' && { password: draft.password }),
    ...(!draft.isLocked && before.hasPassword && { password: null }),
  };
}

function lastDayOf(share: ShareView | null, zone: string): string {
  return share === null ? '' : draftOf(share, zone).lastDay;
}

/** Those with a box come first. */
function datasetsOf(draft: Draft): string[] {
  return [...new Set([...tickedOf(draft), ...linesOf(draft.further)])];
}

const tickedOf = ({ datasets }: Draft) => DRAWN.filter((each) => datasets.includes(each));

/** What the API refused of the datasets of a draft that was sent: of those with a box, and of those that were typed. */
export function refusedDatasets(
  sent: Draft,
  details: Fault['details'],
): Readonly<Partial<Record<'datasets' | 'further', string>>> {
  const ticked = tickedOf(sent).length;
  const said = details.flatMap(({ field, message }) => {
    const [is, place = '-1'] = /^datasets(?:\[(\d+)\])?/.exec(field) ?? [];
    return is === undefined ? [] : [{ isTyped: Number(place) >= ticked, message }];
  });
  return {
    datasets: said.find(({ isTyped }) => !isTyped)?.message,
    further: said.find(({ isTyped }) => isTyped)?.message,
  };
}

function expiryOf({ lastDay }: Draft, zone: string): string | null {
  const end = endOfDay(lastDay, zone);
  return end === null ? null : new Date(end).toISOString();
}

function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}
