/** The steps of journeys as columns of stops; the stop that is chosen says below where sessions came from and went to. */
import { useEffect, useRef } from 'preact/hooks';
import { useAddress } from '../../address.ts';
import type { DatasetAnswer } from '../../api/wire.ts';
import { type Column, Table } from '../../design/table.tsx';
import { formatList, formatNumber, formatPercent } from '../../texts/format.ts';
import { texts } from '../../texts/texts.ts';
import { Change } from '../../website/change.tsx';
import type { Scene } from '../../website/scene.ts';
import { SessionsLink } from '../paths/sessions-link.tsx';
import { pathsTexts } from '../paths/texts.ts';
import { type Settings, type Stop, sessionsOfStop, stepsOf, stopKey, type Way, waysOf } from './model.ts';
import { stopText } from './stop-text.ts';
import { journeysTexts } from './texts.ts';

interface StepColumnsProps {
  readonly answer: DatasetAnswer;
  readonly scene: Scene;
  readonly settings: Settings;
  /** The start in words; empty: whatever a session begins with. */
  readonly words: string;
}

export function StepColumns(props: StepColumnsProps) {
  const t = journeysTexts.value;
  const { answer, settings } = props;
  const { parameters, change } = useAddress();
  const steps = stepsOf(answer, settings);
  const chosen = steps.flat().find(({ step, type, name }) => stopKey(step, type, name) === parameters.at);
  // Whoever opens a stop is led to what it says; one that the address opens leaves the page where it is.
  const sought = useRef(false);
  const ways = chosen && parameters.at ? waysOf(answer, parameters.at) : [];
  const isLinked = ({ step, type, name }: Stop) =>
    ways.some(
      (way) =>
        way.type === type &&
        way.name === name &&
        step === (chosen?.step ?? 0) + (way.of === 'farther' ? 1 : -1),
    );
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls takes the focus, so that the arrow keys move it */}
      <section class="table" aria-label={t.tabs.steps} tabIndex={0}>
        <ol class="journey">
          {steps.map((stops, step) => (
            <li key={step}>
              <h3>{stepText(step, settings)}</h3>
              <p class="small soft">
                {countText(
                  sum(stops, ({ sessions }) => sessions),
                  sum(stops, ({ percentage }) => percentage),
                )}
              </p>
              <ol class="stops">
                {stops.map((stop) => {
                  const key = stopKey(step, stop.type, stop.name);
                  const isChosen = stop === chosen;
                  return (
                    <li key={key}>
                      <button
                        type="button"
                        class={isLinked(stop) ? 'stop linked' : 'stop'}
                        aria-pressed={isChosen}
                        onClick={() => {
                          sought.current = !isChosen;
                          change({ at: isChosen ? undefined : key }, true);
                        }}
                      >
                        <Name {...stop} />
                        <span class="small">{countText(stop.sessions, stop.percentage)}</span>
                        <span class="step-share" style={{ width: `${stop.percentage}%` }} />
                        <Ended stop={stop} settings={settings} />
                      </button>
                    </li>
                  );
                })}
              </ol>
            </li>
          ))}
        </ol>
      </section>
      {chosen && (
        <Chosen {...props} key={parameters.at} stop={chosen} ways={ways} isSought={sought.current} />
      )}
    </>
  );
}

const sum = (stops: readonly Stop[], of: (stop: Stop) => number): number =>
  stops.reduce((total, stop) => total + of(stop), 0);

const countText = (sessions: number, percentage: number): string =>
  journeysTexts.value.sessions(sessions, formatPercent(percentage));

function stepText(step: number, { direction }: Settings): string {
  const t = journeysTexts.value;
  return step === 0 ? t.start : t.stepOf[direction](formatNumber(step));
}

function Name({ type, name }: Pick<Stop, 'type' | 'name'>) {
  return (
    <span>
      <bdi>{stopText(type, name)}</bdi>
      {type === 'event' && <span class="small soft"> {pathsTexts.value.types.event}</span>}
    </span>
  );
}

function Ended({ stop: { sessions, ended }, settings }: { stop: Stop; settings: Settings }) {
  if (!ended) return null;
  const text = journeysTexts.value.ended[settings.direction];
  return <span class="small soft">{text(formatNumber(ended), formatPercent((ended / sessions) * 100))}</span>;
}

type ChosenProps = StepColumnsProps & {
  readonly stop: Stop;
  readonly ways: readonly Way[];
  readonly isSought: boolean;
};

function Chosen({ scene, settings, words, stop, ways, isSought }: ChosenProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  // The focus brings it into view at once, without a movement.
  useEffect(() => {
    if (isSought) heading.current?.focus();
  }, [isSought]);
  const t = journeysTexts.value;
  const { step, type, name, sessions, percentage } = stop;
  const behind = sessionsOfStop(stop, settings, scene);
  const title = `${stepText(step, settings)}: ${stopText(type, name)}`;
  const both = formatList([...(step > 0 && words !== '' ? [words] : []), stopText(type, name)]);
  const isForward = settings.direction === 'forward';
  const columns: Column<Way>[] = [
    { key: 'stop', title: t.stop, cell: (way) => <Name {...way} /> },
    { key: 'way', title: t.way, cell: ({ of }) => t.ways[(of === 'nearer') === isForward ? 'from' : 'to'] },
    { key: 'sessions', title: t.columns.sessions, isNumber: true, cell: (way) => formatNumber(way.sessions) },
    {
      key: 'share',
      title: t.share,
      isNumber: true,
      cell: (way) => formatPercent((way.sessions / sessions) * 100),
    },
  ];
  if (scene.comparison !== undefined) {
    columns.splice(3, 0, {
      key: 'change',
      title: texts.value.overview.change.title,
      isNumber: true,
      cell: (way) => <Change now={way.sessions} before={way.before} />,
    });
  }
  return (
    <div class="stack opened">
      <h3 ref={heading} tabIndex={-1}>
        <bdi class="chosen">{title}</bdi>
      </h3>
      <div class="row">
        <span>{countText(sessions, percentage)}</span>
        <Ended stop={stop} settings={settings} />
      </div>
      {behind && (
        <p>
          {!behind.isExact && <span class="soft">{t.nearest} </span>}
          <SessionsLink scene={scene} parts={behind.parts} what={both}>
            <bdi class="chosen">{behind.isExact ? t.behind : t.withBoth(both)}</bdi>
          </SessionsLink>
        </p>
      )}
      {ways.length > 0 && (
        <Table
          caption={title}
          columns={columns}
          rows={ways}
          rowKey={(way) => stopKey(way.of === 'nearer' ? 0 : 1, way.type, way.name)}
          stacks
        />
      )}
    </div>
  );
}
