/** The map of the world with a colour for each country; the table beside it says the same in numbers. */

import { world } from 'virtual:world';
import { useState } from 'preact/hooks';
import { unpackedPath } from './packed-path.ts';
import { type Step, stepOf, stepsUpTo } from './steps.ts';

export interface WorldMapProps {
  readonly label: string;
  /** Numbers by ISO code (alpha-2). */
  readonly numbers: ReadonlyMap<string, number>;
  /** The country and its number, for who points at it. */
  readonly tell: (code: string, value: number) => string;
  readonly formatStep: (step: Step) => string;
  /** What the numbers count. */
  readonly unit: string;
  /** Said of countries without a number. */
  readonly none: string;
}

const OUTLINES = world.outlines.map((each) => [each.slice(0, 2), unpackedPath(each.slice(2))] as const);

export function WorldMap({ label, numbers, tell, formatStep, unit, none }: WorldMapProps) {
  const [pointed, setPointed] = useState<string | null>(null);
  const steps = stepsUpTo(Math.max(0, ...numbers.values()));
  const classOf = (code: string) => `step-${stepOf(numbers.get(code) ?? 0, steps)}`;
  const point = (event: { target: EventTarget | null }) => {
    const shape = event.target instanceof Element ? event.target.closest('[data-code]') : null;
    setPointed(shape?.getAttribute('data-code') ?? null);
  };
  return (
    <figure class="world">
      <svg
        viewBox={`0 0 ${world.width} ${world.height}`}
        role="img"
        aria-label={label}
        onPointerOver={point}
        onPointerDown={point}
        onPointerLeave={() => setPointed(null)}
      >
        {OUTLINES.map(([code, path]) => (
          <path key={code} data-code={code} class={classOf(code)} d={path} />
        ))}
        {world.dots
          // A dot of a country without numbers would only hide its neighbours.
          .filter(([code]) => numbers.has(code))
          .map(([code, x, y]) => (
            <circle key={code} data-code={code} class={classOf(code)} cx={x} cy={y} r="4" />
          ))}
      </svg>
      <figcaption class="row small">
        {steps.length > 0 && <span>{unit}:</span>}
        <ul class="row legend">
          {steps.length > 0 && (
            <li class="row">
              <span class="swatch step-0" />
              <span>{none}</span>
            </li>
          )}
          {steps.map((step, index) => (
            <li key={step.from} class="row">
              <span class={`swatch step-${index + 1}`} />
              <span class="number">{formatStep(step)}</span>
            </li>
          ))}
        </ul>
        <span class="pointed" aria-hidden="true">
          {pointed !== null && <bdi>{tell(pointed, numbers.get(pointed) ?? 0)}</bdi>}
        </span>
      </figcaption>
    </figure>
  );
}
