/** Chooses what the numbers are compared with: the period before, a year before, or dates of one's own; by weekday where that is wanted. */
import { Check } from '../design/check.tsx';
import { Field } from '../design/field.tsx';
import { texts } from '../texts/texts.ts';
import { addDays, lengthOf } from '../website/calendar.ts';
import { DatesForm } from '../website/dates-form.tsx';
import { daysOf } from '../website/range.ts';
import type { SceneView } from '../website/use-scene.ts';
import { drillTexts } from './texts.ts';

const CHOICES = ['none', 'previous', 'year', 'custom'] as const;

export function CompareChoice({ scene }: { scene: SceneView }) {
  const t = drillTexts.value;
  const { comparison, range, today } = scene;
  const period = comparison?.period;
  const chosen = period === undefined ? 'none' : typeof period === 'string' ? period : 'custom';
  function choose(value: string): void {
    const isByWeekday = comparison?.isByWeekday ?? false;
    if (value === 'none') scene.showComparison(undefined);
    if (value === 'previous' || value === 'year') scene.showComparison({ period: value, isByWeekday });
    if (value !== 'custom') return;
    // Dates of one's own begin as the days just before.
    const days = daysOf(range, today) ?? { first: today, last: today };
    const first = addDays(days.first, -lengthOf(days));
    scene.showComparison({ period: { first, last: addDays(days.first, -1) }, isByWeekday });
  }
  return (
    <>
      <Field
        label={t.compare}
        value={chosen}
        onInput={choose}
        options={CHOICES.map((value) => ({ value, text: t.compareWith[value] }))}
      />
      {comparison !== undefined && (
        <Check
          label={t.byWeekday}
          isChecked={comparison.isByWeekday}
          onChange={(isByWeekday) => scene.showComparison({ ...comparison, isByWeekday })}
        />
      )}
      {comparison !== undefined && typeof comparison.period === 'object' && (
        <DatesForm
          key={JSON.stringify(comparison.period)}
          days={comparison.period}
          words={texts.value.overview}
          badDates={texts.value.overview.badDates}
          onShow={(days) => scene.showComparison({ ...comparison, period: days })}
        />
      )}
    </>
  );
}
