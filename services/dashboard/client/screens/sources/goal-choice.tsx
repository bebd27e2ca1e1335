/** Chooses the goal whose conversions stand in the lists; which goals there are is asked when somebody opens the choice. */
import { useState } from 'preact/hooks';
import { useAddress } from '../../address.ts';
import { useRead } from '../../api/use-read.ts';
import type { GoalView } from '../../api/wire.ts';
import { Button } from '../../design/button.tsx';
import { Dialog } from '../../design/dialog.tsx';
import type { Page } from '../../exports/whole-list.ts';
import { Loaded } from '../../states/loaded.tsx';
import { texts } from '../../texts/texts.ts';
import { sceneAddress } from '../../website/website-links.ts';
import { goalsRequest } from '../paths/kinds.ts';
import { sourcesTexts } from './texts.ts';

interface GoalChoiceProps {
  readonly websiteId: string;
  /** The chosen one, with its name once that is known; null: none is chosen. */
  readonly chosen: { readonly id: string; readonly name: string | undefined } | null;
  readonly onChoose: (goalId: string | undefined) => void;
}

export function GoalChoice(props: GoalChoiceProps) {
  const t = sourcesTexts.value.goal;
  const { chosen } = props;
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button icon="chevron-down" onClick={() => setOpen(true)}>
        {chosen ? <bdi>{t.chosen(chosen.name ?? '…')}</bdi> : t.choose}
      </Button>
      {isOpen && <Goals {...props} onClose={() => setOpen(false)} />}
    </>
  );
}

function Goals({ websiteId, chosen, onChoose, onClose }: GoalChoiceProps & { onClose: () => void }) {
  const t = sourcesTexts.value.goal;
  const { parameters } = useAddress();
  const read = useRead<Page<GoalView>>(goalsRequest(websiteId));
  const choose = (goalId: string | undefined) => {
    onClose();
    onChoose(goalId);
  };
  return (
    <Dialog title={t.title} onClose={onClose}>
      <p class="soft">{t.lead}</p>
      <Loaded read={read} lines={3}>
        {({ data, nextCursor }) =>
          data.length === 0 ? (
            <p>
              {t.empty} <a href={sceneAddress(websiteId, 'goals', parameters)}>{t.toGoals}</a>
            </p>
          ) : (
            <>
              <ul class="stack">
                {data.map(({ id, name }) => (
                  <li key={id}>
                    <Button isPressed={id === chosen?.id} onClick={() => choose(id)}>
                      <bdi>{name}</bdi>
                    </Button>
                  </li>
                ))}
              </ul>
              {nextCursor !== undefined && <p class="hint">{t.more}</p>}
            </>
          )
        }
      </Loaded>
      <div class="row">
        {chosen && <Button onClick={() => choose(undefined)}>{t.none}</Button>}
        <Button onClick={onClose}>{texts.value.words.close}</Button>
      </div>
    </Dialog>
  );
}
