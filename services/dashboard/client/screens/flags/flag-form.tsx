/** The form of a flag, new or not, in the order in which evaluation asks: other flags, rules, target groups, everybody else. */
import type { FlagView } from '../../api/wire.ts';
import { DependencyPart } from './dependency-part.tsx';
import { DraftForm, type Version } from './draft-form.tsx';
import {
  type FlagDraft,
  flagChangesOf,
  flagDraftOf,
  isFlagSendable,
  NEW_FLAG,
  newFlagOf,
} from './flag-draft.ts';
import { GeneralPart } from './general-part.tsx';
import { GroupPart } from './group-part.tsx';
import { OtherwisePart } from './otherwise-part.tsx';
import { RulePart } from './rule-part.tsx';
import { flagTexts } from './texts.ts';

interface FlagFormProps {
  /** Absent: a new one. */
  readonly version?: Version<FlagView>;
  readonly onSaved: (version: Version<FlagView>) => void;
  /** Loads the version that there is now. */
  readonly onReload?: () => void;
}

export function FlagForm({ version, onSaved, onReload }: FlagFormProps) {
  const t = flagTexts.value;
  const before = version ? flagDraftOf(version.body.data) : NEW_FLAG;
  return (
    <DraftForm<FlagView, FlagDraft>
      path="/v1/flags"
      version={version}
      before={before}
      bodyOf={(draft) => (version ? flagChangesOf(before, draft) : newFlagOf(draft))}
      obstacleOf={(draft) => (isFlagSendable(draft) ? '' : t.noJson)}
      onSaved={onSaved}
      onReload={onReload}
    >
      {(drafting) => (
        <>
          <GeneralPart {...drafting} isNew={version === undefined} />
          <DependencyPart {...drafting} />
          <RulePart {...drafting} hint={t.rulesHint} />
          <GroupPart {...drafting} />
          <OtherwisePart {...drafting} />
        </>
      )}
    </DraftForm>
  );
}
