/** What may be done about goals. */
import { type ActsProps, DefinitionActs } from '../paths/definition-acts.tsx';
import { GoalDialog } from './goal-dialog.tsx';
import { goalTexts } from './texts.ts';

export function GoalActs(props: ActsProps<'goals'>) {
  return (
    <DefinitionActs
      {...props}
      kind="goals"
      words={goalTexts.value}
      dialog={(form) => <GoalDialog {...form} />}
    />
  );
}
