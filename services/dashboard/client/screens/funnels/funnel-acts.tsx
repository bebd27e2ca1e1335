/** What may be done about funnels. */
import { type ActsProps, DefinitionActs } from '../paths/definition-acts.tsx';
import { FunnelDialog } from './funnel-dialog.tsx';
import { funnelTexts } from './texts.ts';

export function FunnelActs(props: ActsProps<'funnels'>) {
  return (
    <DefinitionActs
      {...props}
      kind="funnels"
      words={funnelTexts.value}
      dialog={(form) => <FunnelDialog {...form} />}
    />
  );
}
