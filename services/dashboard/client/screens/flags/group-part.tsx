/** The target groups of a flag, in the order in which their rules are asked. */
import { useState } from 'preact/hooks';
import { addressOf, HOME } from '../../address.ts';
import { useRead } from '../../api/use-read.ts';
import type { TargetGroupView } from '../../api/wire.ts';
import type { Page } from '../../exports/whole-list.ts';
import { ChoiceFields } from './choice-fields.tsx';
import { type FlagPartProps, Part } from './part.tsx';
import { flagTexts } from './texts.ts';

const PATH = '/v1/target-groups';

export function GroupPart({ draft, edit, write }: FlagPartProps) {
  const t = flagTexts.value;
  const chosen = draft.targetGroupIds;
  const [isAsked] = useState(chosen.length > 0);
  const query = { limit: 100, sort: 'name' };
  const read = useRead<Page<TargetGroupView>>(isAsked ? { path: PATH, query } : null, { isKept: true });
  const [names, setNames] = useState<ReadonlyMap<string, string>>(new Map());
  const nameOf = (id: string) => names.get(id) ?? read.data?.data.find((group) => group.id === id)?.name;
  return (
    <Part title={t.groups} hint={t.groupsHint} field="targetGroupIds" write={write}>
      <ChoiceFields<TargetGroupView>
        chosen={chosen}
        onChange={(ids) => edit({ targetGroupIds: [...ids] })}
        onMoved={write.forget}
        name={t.groupNumber}
        show={(id) => <GroupName id={id} known={nameOf(id)} isAwaited={isAsked && read.data === undefined} />}
        addText={t.addGroup}
        path={PATH}
        sort="name"
        choiceOf={({ id, name }) => ({ id, text: name })}
        onChoose={({ id, text }) => setNames(new Map(names).set(id, text))}
        faultOf={(index) => write.faultOf(`targetGroupIds[${index}]`)}
      />
    </Part>
  );
}

interface GroupNameProps {
  readonly id: string;
  readonly known: string | undefined;
  /** The list that may name it is still to come. */
  readonly isAwaited: boolean;
}

/** A group that the first page of the list does not name is asked for by itself. */
function GroupName({ id, known, isAwaited }: GroupNameProps) {
  const request = { path: `${PATH}/${encodeURIComponent(id)}` };
  const isUnknown = known === undefined && !isAwaited;
  const read = useRead<{ data: TargetGroupView }>(isUnknown ? request : null, { isKept: true });
  return (
    <a href={addressOf(`${HOME}/flags/groups`, { group: id })}>
      <bdi>{known ?? read.data?.data.name ?? id}</bdi>
    </a>
  );
}
