/** The form of a flag as texts, choices and rows, and what is sent for it: only what differs. */

import { differing } from '../../api/differing.ts';
import type { FlagView } from '../../api/wire.ts';
import { isJsonOrEmpty, jsonOf } from './json-of.ts';
import { numberOf } from './number-of.ts';
import { type RuleDraft, ruleDraftsOf, ruleOf } from './rule-draft.ts';
import { isSendable, type VariantDraft, variantDraftsOf, variantOf } from './variant-draft.ts';

export const TYPES = ['boolean', 'rollout', 'multivariant'] as const satisfies readonly FlagView['type'][];
export const STATUSES = ['active', 'inactive', 'archived'] as const satisfies readonly FlagView['status'][];
export const ROLLOUT_BY = [
  'user',
  'organization',
  'team',
] as const satisfies readonly FlagView['rolloutBy'][];

export interface FlagDraft
  extends Pick<
    FlagView,
    | 'key'
    | 'websiteId'
    | 'name'
    | 'description'
    | 'type'
    | 'status'
    | 'defaultValue'
    | 'rolloutBy'
    | 'dependencies'
    | 'targetGroupIds'
  > {
  /** JSON; empty: none. */
  readonly payload: string;
  readonly rolloutPercentage: string;
  readonly rules: readonly RuleDraft[];
  readonly variants: readonly VariantDraft[];
  /** Empty: none. */
  readonly environment: string;
}

/** A flag that nobody has filled in; what the API takes where nothing is said (docs/flags.md). */
export const NEW_FLAG: FlagDraft = {
  key: '',
  websiteId: null,
  name: '',
  description: '',
  type: 'boolean',
  status: 'active',
  defaultValue: false,
  payload: '',
  rolloutPercentage: '0',
  rolloutBy: 'user',
  rules: [],
  variants: [],
  dependencies: [],
  environment: '',
  targetGroupIds: [],
};

export function flagDraftOf(flag: FlagView): FlagDraft {
  const { key, websiteId, name, description, type, status, defaultValue, rolloutBy } = flag;
  const { dependencies, targetGroupIds } = flag;
  return {
    ...{ key, websiteId, name, description, type, status, defaultValue, rolloutBy },
    ...{ dependencies, targetGroupIds },
    payload: flag.payload === null ? '' : JSON.stringify(flag.payload, null, 2),
    rolloutPercentage: String(flag.rolloutPercentage),
    rules: ruleDraftsOf(flag.rules),
    variants: variantDraftsOf(flag.variants),
    environment: flag.environment ?? '',
  };
}

/** The body that turns `before` into `draft`; null when nothing differs. */
export const flagChangesOf = (before: FlagDraft, draft: FlagDraft) =>
  differing(bodyOf(before), bodyOf(draft));

/** The body of a new flag. A website that is still to be chosen goes as it is: the API refuses it. */
export function newFlagOf(draft: FlagDraft): Record<string, unknown> {
  const { key, websiteId } = draft;
  return { key, ...(websiteId !== null && { websiteId }), ...flagChangesOf(NEW_FLAG, draft) };
}

function bodyOf(draft: FlagDraft): Record<string, unknown> {
  const { key: _key, websiteId: _websiteId, payload, environment, ...rest } = draft;
  return {
    ...rest,
    payload: payload.trim() === '' ? null : jsonOf(payload),
    rolloutPercentage: numberOf(draft.rolloutPercentage),
    rules: draft.rules.map(ruleOf),
    variants: draft.variants.map(variantOf),
    environment: environment.trim() || null,
  };
}

/** Whether all that must be JSON is; what is no JSON cannot be sent. */
export const isFlagSendable = ({ payload, variants }: FlagDraft): boolean =>
  isJsonOrEmpty(payload) && variants.every(isSendable);
