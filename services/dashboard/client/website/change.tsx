/** How much a number changed against the other period: a sign and percent, with the number before for who asks. */
import { formatNumber, formatPercent } from '../texts/format.ts';
import { texts } from '../texts/texts.ts';
import { changeOf } from './scene-comparison.ts';

interface ChangeProps {
  readonly now: number;
  /** Null: the other period has no such row. */
  readonly before: number | null;
  /** How the number is written; absent: as a count. */
  readonly format?: (value: number) => string;
}

/** Growth is no praise and decline no blame: which is good differs from number to number, so neither has a colour. */
export function Change({ now, before, format = formatNumber }: ChangeProps) {
  const t = texts.value.overview.change;
  if (before === null) return <span class="soft">{t.isNew}</span>;
  const change = changeOf(now, before);
  const told = t.before(format(before));
  return (
    <span class="change" title={told}>
      {change === undefined ? (now === before ? '±0' : t.isNew) : signed(change)}
      <span class="unseen"> {told}</span>
    </span>
  );
}

function signed(change: number): string {
  const text = formatPercent(Math.abs(change) * 100);
  if (Math.round(change * 1_000) === 0) return `±${formatPercent(0)}`;
  return change > 0 ? `+${text}` : `−${text}`;
}
