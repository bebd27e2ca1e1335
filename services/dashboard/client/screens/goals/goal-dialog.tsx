/** Makes a goal, or changes one: its name, what matches its events, and what they are worth. */
import { Field } from '../../design/field.tsx';
import type { DialogOf } from '../paths/definition-acts.tsx';
import { DefinitionDialog } from '../paths/definition-dialog.tsx';
import { MatchFields } from '../paths/match-fields.tsx';
import { bodyOf, draftOf, NEW } from './draft.ts';
import { goalTexts } from './texts.ts';

export function GoalDialog(props: DialogOf<'goals'>) {
  const t = goalTexts.value;
  const { one } = props;
  return (
    <DefinitionDialog
      {...props}
      kind="goals"
      title={one === null ? t.make : t.changeTitle}
      makeIt={t.makeIt}
      begin={one === null ? NEW : draftOf(one)}
      bodyOf={bodyOf}
    >
      {(draft, edit, faultOf) => (
        <>
          <MatchFields draft={draft.match} onEdit={(match) => edit({ match })} faultOf={faultOf} />
          <Field
            label={t.revenueProperty}
            hint={t.revenueHint}
            value={draft.revenueProperty}
            onInput={(revenueProperty) => edit({ revenueProperty })}
            maxLength={128}
            isOptional
            fault={faultOf('revenueProperty')}
          />
          {(draft.revenueProperty !== '' || draft.currency !== '') && (
            <Field
              label={t.currency}
              hint={t.currencyHint}
              value={draft.currency}
              onInput={(currency) => edit({ currency })}
              maxLength={3}
              suggestions={Intl.supportedValuesOf('currency')}
              isOptional
              fault={faultOf('currency')}
            />
          )}
        </>
      )}
    </DefinitionDialog>
  );
}
