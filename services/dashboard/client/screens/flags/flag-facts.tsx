/** What lists and heads tell of a flag: its state, where it applies, and what decides where no rule does. */
import type { WebsiteSummary } from '../../api/websites.ts';
import type { FlagView } from '../../api/wire.ts';
import { formatNumber } from '../../texts/format.ts';
import { flagTexts } from './texts.ts';

export function StatusBadge({ of: { status } }: { of: FlagView }) {
  const kind = { active: 'good', inactive: 'warn', archived: '' }[status];
  return (
    <span>
      <span class={`badge ${kind}`}>{flagTexts.value.statuses[status]}</span>
    </span>
  );
}

interface PlaceProps {
  readonly of: FlagView;
  readonly websites: readonly WebsiteSummary[] | undefined;
}

export function Place({ of: { websiteId, environment }, websites }: PlaceProps) {
  return (
    <span>
      {websiteId === null ? (
        flagTexts.value.organization
      ) : (
        <bdi>{websites?.find(({ id }) => id === websiteId)?.name ?? websiteId}</bdi>
      )}
      {environment !== null && (
        <>
          {' · '}
          <bdi>{environment}</bdi>
        </>
      )}
    </span>
  );
}

export function otherwiseOf({ type, defaultValue, rolloutPercentage, variants }: FlagView): string {
  const t = flagTexts.value;
  if (type === 'rollout') return `${formatNumber(rolloutPercentage)} %`;
  if (type === 'multivariant') return t.variantCount(variants.length);
  return defaultValue ? t.on : t.off;
}
