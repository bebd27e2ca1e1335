/** A line over time as SVG: read by pointer and by keyboard, zoomed by dragging, by choosing a point, or by Enter. */
import { useId, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { type AxisKind, labelledBuckets, valueTicks } from './axis.ts';
import { Before, type ChartPoint, Curve } from './curves.tsx';
import type { Place } from './straight-path.ts';

interface LineChartProps {
  readonly label: string;
  /** Said with the label: what keys do. */
  readonly hint: string;
  readonly points: readonly ChartPoint[];
  readonly granularity: 'minute' | 'hourly' | 'daily' | 'weekly' | 'monthly';
  readonly kind: AxisKind;
  /** A value in full. */
  readonly format: (value: number) => string;
  /** A value as it stands beside the axis. */
  readonly formatAxis: (value: number) => string;
  readonly onZoom: (from: number, to: number) => void;
  /** The value that is compared with, in words. */
  readonly tellBefore?: (value: string) => string;
}

const HEIGHT = 272;
const MARGIN = { top: 12, right: 12, bottom: 28, left: 56 };
const PLOT = HEIGHT - MARGIN.top - MARGIN.bottom;
/** Room of a label below the axis, in pixels. */
const LABEL = 76;
/** Points are drawn when they stand at least so far apart. */
const POINT_DISTANCE = 14;

export function LineChart(props: LineChartProps) {
  const { label, hint, points, granularity, kind, format, formatAxis, onZoom, tellBefore } = props;
  const id = useId();
  const [frame, width] = useWidth();
  const [active, setActive] = useState<number | null>(null);
  const [anchor, setAnchor] = useState<number | null>(null);
  const plot = Math.max(0, width - MARGIN.left - MARGIN.right);
  const last = points.length - 1;
  const x = (index: number) => MARGIN.left + (last > 0 ? (index / last) * plot : plot / 2);
  const seen = points.findLastIndex(({ value }) => value !== null);
  const at = active === null ? null : Math.min(active, Math.max(0, seen));
  const point = at === null ? undefined : points[at];

  const indexAt = (event: PointerEvent & { currentTarget: HTMLElement }) => {
    const { left } = event.currentTarget.getBoundingClientRect();
    const share = plot > 0 ? (event.clientX - left) / plot : 0;
    return Math.max(0, Math.min(seen, Math.round(share * last)));
  };
  function press(event: KeyboardEvent): void {
    const here = at ?? seen;
    const page = Math.max(1, Math.round(points.length / 10));
    const to = {
      ArrowLeft: here - 1,
      ArrowRight: here + 1,
      ArrowDown: here - 1,
      ArrowUp: here + 1,
      PageDown: here - page,
      PageUp: here + page,
      Home: 0,
      End: seen,
    }[event.key];
    if (to !== undefined && !event.altKey && !event.ctrlKey && !event.metaKey) {
      event.preventDefault();
      setAnchor(event.shiftKey ? (anchor ?? here) : null);
      setActive(Math.max(0, Math.min(seen, to)));
    } else if (event.key === 'Enter' && at !== null) {
      event.preventDefault();
      zoom(anchor ?? at, at);
    } else if (event.key === 'Escape') {
      setAnchor(null);
    }
  }
  function zoom(from: number, to: number): void {
    setAnchor(null);
    setActive(null);
    onZoom(from, to);
  }

  const compared = ({ before }: ChartPoint) =>
    before == null ? '' : (tellBefore?.(format(before)) ?? format(before));
  const told = (index: number) => {
    const read = points[index] as ChartPoint;
    const { label: bucket, value, note, mark } = read;
    return [bucket, value === null ? '' : format(value), compared(read), note, mark]
      .filter(Boolean)
      .join(', ');
  };
  // Who reads it point by point moves the cursor alone: all else stays as it is drawn.
  const { places, axes, curve } = useMemo(() => {
    const highest = Math.max(0, ...points.map(({ value, before }) => Math.max(value ?? 0, before ?? 0)));
    const ticks = valueTicks(highest, kind);
    const top = ticks.at(-1) || 1;
    const y = (value: number) => MARGIN.top + PLOT - (value / top) * PLOT;
    const drawn = points
      .slice(0, seen + 1)
      .map(({ value }, index): Place | null => (value === null ? null : [x(index), y(value)]));
    const isSparse = plot / Math.max(1, last) >= POINT_DISTANCE;
    return {
      places: drawn,
      axes: (
        <>
          {ticks.map((value) => (
            <g key={value} class="tick">
              <line x1={MARGIN.left} x2={width - MARGIN.right} y1={y(value)} y2={y(value)} />
              <text x={MARGIN.left - 8} y={y(value)} dy="0.35em" text-anchor="end">
                {formatAxis(value)}
              </text>
            </g>
          ))}
          {labelledBuckets(points.length, Math.floor(plot / LABEL), granularity).map((index) => (
            <text key={index} class="date" x={x(index)} y={HEIGHT - 8} text-anchor={anchorOf(index, last)}>
              {points[index]?.tick}
            </text>
          ))}
        </>
      ),
      curve: (
        <>
          <Before points={points} place={(index, value) => [x(index), y(value)]} />
          {points.map(({ mark }, index) =>
            mark === undefined ? null : (
              <line
                key={index}
                class="mark"
                x1={x(index)}
                x2={x(index)}
                y1={MARGIN.top}
                y2={MARGIN.top + PLOT}
              />
            ),
          )}
          <Curve places={drawn} points={points} ground={y(0)} />
          {drawn.map(
            (at, index) =>
              at &&
              // No line leads to one between gaps.
              (isSparse || !(drawn[index - 1] || drawn[index + 1])) && (
                <circle
                  key={index}
                  class={points[index]?.note ? 'point open' : 'point'}
                  cx={at[0]}
                  cy={at[1]}
                  r="3.5"
                />
              ),
          )}
        </>
      ),
    };
    // The points are made anew with every other measure, language or time zone, and the format with them.
  }, [points, width, kind, granularity]);
  return (
    <div class="chart" ref={frame}>
      <svg width={width} height={HEIGHT} viewBox={`0 0 ${width} ${HEIGHT}`} aria-hidden="true">
        {axes}
        {anchor !== null && at !== null && (
          <rect
            class="selected"
            x={x(Math.min(anchor, at))}
            width={Math.max(2, Math.abs(x(at) - x(anchor)))}
            y={MARGIN.top}
            height={PLOT}
          />
        )}
        {curve}
        {at !== null && places[at] && (
          <g class="cursor">
            <line x1={places[at][0]} x2={places[at][0]} y1={MARGIN.top} y2={MARGIN.top + PLOT} />
            <circle cx={places[at][0]} cy={places[at][1]} r="5" />
          </g>
        )}
      </svg>
      <div
        class="chart-reader"
        role="slider"
        tabIndex={0}
        aria-label={label}
        aria-describedby={id}
        aria-orientation="horizontal"
        aria-valuemin={0}
        aria-valuemax={Math.max(0, seen)}
        aria-valuenow={at ?? Math.max(0, seen)}
        aria-valuetext={seen < 0 ? '' : told(at ?? seen)}
        style={{
          left: `${MARGIN.left}px`,
          right: `${MARGIN.right}px`,
          height: `${HEIGHT - MARGIN.bottom}px`,
        }}
        onKeyDown={press}
        onFocus={() => setActive(active ?? seen)}
        onBlur={() => {
          setActive(null);
          setAnchor(null);
        }}
        onPointerMove={(event) => setActive(indexAt(event))}
        onPointerLeave={() => {
          if (anchor === null) setActive(null);
        }}
        onPointerDown={(event) => {
          if (event.button !== 0) return;
          const index = indexAt(event);
          // A finger reads a point first; the second touch of it chooses it.
          if (event.pointerType === 'touch' && index !== at) {
            setActive(index);
            return;
          }
          event.currentTarget.setPointerCapture(event.pointerId);
          setAnchor(index);
          setActive(index);
        }}
        onPointerUp={(event) => {
          if (anchor !== null) zoom(anchor, indexAt(event));
        }}
        onPointerCancel={() => setAnchor(null)}
      />
      <p class="unseen" id={id}>
        {hint}
      </p>
      {point && at !== null && (
        <div class="chart-tip" aria-hidden="true" style={tipPlace(x(at), width)}>
          <span>{point.label}</span>
          <strong>{point.value === null ? '' : format(point.value)}</strong>
          {point.before != null && <span class="small">{compared(point)}</span>}
          {point.note && <span class="small">{point.note}</span>}
          {point.mark && (
            <span class="small">
              <bdi>{point.mark}</bdi>
            </span>
          )}
        </div>
      )}
    </div>
  );
}

/** The first and last label stay within the chart. */
function anchorOf(index: number, last: number): 'start' | 'middle' | 'end' {
  if (last === 0) return 'middle';
  return index === last ? 'end' : 'middle';
}

/** Beside its point, on the side that has room. */
function tipPlace(left: number, width: number): Record<string, string> {
  return left < width / 2 ? { left: `${left + 12}px` } : { right: `${width - left + 12}px` };
}

/** The width of an element, in whole pixels, now and whenever it changes. */
function useWidth() {
  const element = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const frame = element.current;
    if (!frame) return;
    const measure = () => setWidth(Math.floor(frame.clientWidth));
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(frame);
    return () => observer.disconnect();
  }, []);
  return [element, width] as const;
}
