/** Chooses which events a screen is about: those of a kind, those of a goal, or whatever it takes without a choice. */
import { useState } from 'preact/hooks';
import { useAddress } from '../../address.ts';
import { useRead } from '../../api/use-read.ts';
import type { GoalView } from '../../api/wire.ts';
import { Button } from '../../design/button.tsx';
import { Dialog } from '../../design/dialog.tsx';
import { Field } from '../../design/field.tsx';
import { Form } from '../../design/form.tsx';
import { FaultNotice } from '../../states/fault-notice.tsx';
import { texts } from '../../texts/texts.ts';
import { sceneAddress } from '../../website/website-links.ts';
import { choiceOf, choiceText, type EventChoice } from './event-choice.ts';
import { draftOf, matchOf, NEW_MATCH } from './event-match.ts';
import { MatchFields } from './match-fields.tsx';
import { pathsTexts } from './texts.ts';

interface ChoiceButtonProps {
  /** What is chosen. */
  readonly label: string;
  readonly websiteId: string;
  readonly choice: EventChoice | undefined;
  /** The choice in words; empty where there is none. */
  readonly words: string;
  /** What is taken without a choice, in words. */
  readonly none: string;
  /** Nothing but a goal may be chosen. */
  readonly isOfGoals?: boolean;
  readonly onChoose: (choice: EventChoice | undefined) => void;
}

export function ChoiceButton(props: ChoiceButtonProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button icon="chevron-down" onClick={() => setOpen(true)}>
        <bdi class="chosen">{`${props.label}: ${props.words || props.none}`}</bdi>
      </Button>
      {isOpen && <Choice {...props} onClose={() => setOpen(false)} />}
    </>
  );
}

/** As many goals as the API lists at once. */
const MOST_GOALS = 100;
/** In place of the identifier of a goal. */
const OWN = 'own';

function Choice({
  label,
  websiteId,
  choice,
  words,
  none,
  isOfGoals,
  onChoose,
  onClose,
}: ChoiceButtonProps & { onClose: () => void }) {
  const t = pathsTexts.value.choice;
  const { parameters } = useAddress();
  const chosenGoal = choice && 'goalId' in choice ? choice.goalId : undefined;
  const [of, setOf] = useState(chosenGoal ?? (choice ? OWN : ''));
  const [draft, setDraft] = useState(choice && !('goalId' in choice) ? draftOf(choice) : NEW_MATCH);
  const [isRefused, setRefused] = useState(false);
  const read = useRead<{ readonly data: readonly GoalView[]; readonly nextCursor?: string }>({
    path: '/v1/goals',
    query: { website_id: websiteId, sort: 'position', limit: MOST_GOALS },
  });
  const goals = read.data?.data ?? [];
  const isListed = chosenGoal === undefined || goals.some(({ id }) => id === chosenGoal);
  function choose(): void {
    const next = of === OWN ? matchOf(draft) : of === '' ? undefined : { goalId: of };
    // What no address says is a number that is none.
    if (next !== undefined && choiceOf(choiceText(next)) === undefined) {
      setRefused(true);
    } else {
      onClose();
      onChoose(next);
    }
  }
  return (
    <Dialog title={label} onClose={onClose}>
      <Form onSubmit={choose}>
        <Field
          label={isOfGoals ? label : t.which}
          value={of}
          onInput={setOf}
          options={[
            { value: '', text: none },
            ...(isOfGoals ? [] : [{ value: OWN, text: t.own }]),
            ...(isListed ? [] : [{ value: chosenGoal, text: t.goal(words) }]),
            ...goals.map(({ id, name }) => ({ value: id, text: t.goal(name) })),
          ]}
        />
        {read.fault && <FaultNotice fault={read.fault} again={read.again} />}
        {read.data?.nextCursor !== undefined && <p class="hint">{t.more}</p>}
        {isOfGoals && read.data?.data.length === 0 && (
          <p>
            {t.empty} <a href={sceneAddress(websiteId, 'goals', parameters)}>{t.toGoals}</a>
          </p>
        )}
        {of === OWN && (
          <MatchFields
            draft={draft}
            onEdit={setDraft}
            faultOf={(field) => (isRefused && isNoNumber(field) ? t.number : undefined)}
          />
        )}
        <div class="row">
          <Button kind="primary" type="submit">
            {texts.value.overview.apply}
          </Button>
          <Button onClick={onClose}>{texts.value.words.cancel}</Button>
        </div>
      </Form>
    </Dialog>
  );
  /** Whether a field, such as `conditions[0].value`, wants a number and has none. */
  function isNoNumber(field: string): boolean {
    const [, index] = /^conditions\[(\d+)\]\.value$/.exec(field) ?? [];
    const condition = index === undefined ? undefined : matchOf(draft).conditions?.[Number(index)];
    return (
      condition !== undefined &&
      choiceOf(choiceText({ ...matchOf(draft), conditions: [condition] })) === undefined
    );
  }
}
