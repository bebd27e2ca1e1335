/** A small line without axes beside a number; `label` says in words what it shows. */
import { SPARK, type SparkPoint, sparkPaths } from './spark-path.ts';

export function Sparkline({ points, label }: { points: readonly SparkPoint[]; label: string }) {
  const { area, whole, part } = sparkPaths(points);
  return (
    <svg
      class="sparkline"
      role="img"
      aria-label={label}
      viewBox={`0 0 ${SPARK.width} ${SPARK.height}`}
      preserveAspectRatio="none"
    >
      <path class="area" d={area} />
      <path class="line" d={whole} />
      <path class="line part" d={part} />
    </svg>
  );
}
