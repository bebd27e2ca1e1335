/** Chooses what the numbers are compared with: the period before, a year before, or dates of one's own; by weekday where that is wanted. */
import { useState } from 'preact/hooks';
import { Button } from '../design/button.tsx';
import { Check } from '../design/check.tsx';
import { Field } from '../design/field.tsx';
import { texts } from '../texts/texts.ts';
import { addDays, isDay, lengthOf } from '../website/calendar.ts';
import { daysOf } from '../website/range.ts';
import type { Comparison } from '../website/scene-comparison.ts';
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
        <OtherDates
          key={JSON.stringify(comparison.period)}
          scene={scene}
          comparison={comparison}
          period={comparison.period}
        />
      )}
    </>
  );
}

interface OtherDatesProps {
  readonly scene: SceneView;
  readonly comparison: Comparison;
  readonly period: { readonly first: string; readonly last: string };
}

function OtherDates({ scene, comparison, period }: OtherDatesProps) {
  const t = texts.value.overview;
  const [first, setFirst] = useState(period.first);
  const [last, setLast] = useState(period.last);
  const [isBad, setBad] = useState(false);
  return (
    <form
      class="dates row"
      onSubmit={(event) => {
        event.preventDefault();
        const isGood = isDay(first) && isDay(last) && first <= last;
        setBad(!isGood);
        if (isGood) scene.showComparison({ ...comparison, period: { first, last } });
      }}
    >
      <Field label={t.first} type="date" value={first} onInput={setFirst} />
      <Field
        label={t.last}
        type="date"
        value={last}
        onInput={setLast}
        fault={isBad ? t.badDates : undefined}
      />
      <Button type="submit">{t.apply}</Button>
    </form>
  );
}
