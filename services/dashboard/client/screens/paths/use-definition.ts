/** One goal or funnel, as a list told it, or else as the API does. */
import { useState } from 'preact/hooks';
import { asMissing } from '../../api/fault.ts';
import { recallAll } from '../../api/memory.ts';
import { useRead } from '../../api/use-read.ts';
import { type Kinds, pathOf } from './kinds.ts';

export function useDefinition<Kind extends keyof Kinds>(kind: Kind, id: string) {
  // As it was when the screen was opened: what is written meanwhile makes all that is kept forgotten.
  const [known] = useState(() => knownOf(kind, id));
  const read = useRead<{ data: Kinds[Kind] }>(known ? null : { path: pathOf(kind, id) }, { isKept: true });
  return { definition: known ?? read.data?.data, read: { ...read, fault: asMissing(read.fault) } };
}

function knownOf<Kind extends keyof Kinds>(kind: Kind, id: string): Kinds[Kind] | undefined {
  const told = recallAll(`/v1/${kind}`).flatMap(({ body }) => (body as { data: unknown }).data);
  return (told as Kinds[Kind][]).find((each) => each.id === id);
}
