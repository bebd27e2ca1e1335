/** The form of a target group, and what is sent for it: only what differs. */

import { differing } from '../../api/differing.ts';
import type { TargetGroupView } from '../../api/wire.ts';
import { type RuleDraft, ruleDraftsOf, ruleOf } from './rule-draft.ts';

export interface GroupDraft extends Pick<TargetGroupView, 'name' | 'description' | 'color'> {
  readonly rules: readonly RuleDraft[];
}

/** A group that nobody has filled in; its colour is the one that the API gives (docs/flags.md). */
export const NEW_GROUP: GroupDraft = { name: '', description: '', color: '#6b7280', rules: [] };

export const groupDraftOf = ({ name, description, color, rules }: TargetGroupView): GroupDraft => ({
  ...{ name, description, color },
  rules: ruleDraftsOf(rules),
});

/** The body of a new group. */
export const newGroupOf = (draft: GroupDraft): Record<string, unknown> => ({
  ...draft,
  rules: draft.rules.map(ruleOf),
});

/** The body that turns `before` into `draft`; null when nothing differs. */
export const groupChangesOf = (before: GroupDraft, draft: GroupDraft) =>
  differing(newGroupOf(before), newGroupOf(draft));
