/** How many visitors of a website come back: cohorts by day, week or month, and by what they begin and return with. */
import { useRef } from 'preact/hooks';
import { useAddress, usePathPart } from '../../address.ts';
import { useRead } from '../../api/use-read.ts';
import { Field } from '../../design/field.tsx';
import { PartCard } from '../../drill/part-card.tsx';
import { tableOf } from '../../drill/table-of.ts';
import { drillTexts } from '../../drill/texts.ts';
import { ExportActs } from '../../exports/export-acts.tsx';
import { texts } from '../../texts/texts.ts';
import type { QueryBatch } from '../../website/batch.ts';
import { queryRequest } from '../../website/scene.ts';
import { useScene } from '../../website/use-scene.ts';
import { useWebsiteOfPath, WebsiteScreen } from '../../website/website-screen.tsx';
import { ChoiceButton } from '../paths/choice-button.tsx';
import { choiceWords, withGoals } from '../paths/choice-question.ts';
import { choiceText } from '../paths/event-choice.ts';
import { CohortTable } from './cohort-table.tsx';
import { cohortsOf, inPeriods, MODES, retentionQuestion, SHOWN, settingsOf } from './model.ts';
import { retentionTexts } from './texts.ts';

export function Retention() {
  const t = retentionTexts.value;
  const { parameters, change } = useAddress();
  const scene = inPeriods(useScene(usePathPart('websiteId')), parameters.by);
  const settings = settingsOf(parameters);
  const { start, returning, mode, shown } = settings;
  const question = retentionQuestion(scene, settings);
  const read = useRead<QueryBatch>(queryRequest(scene, withGoals(scene, question, [start, returning])));
  // What is drawn until other numbers come is of what they were asked for.
  const asked = useRef({ scene, settings });
  const choice = (key: 'start' | 'returning') => (
    <ChoiceButton
      label={t[key]}
      websiteId={scene.websiteId}
      choice={settings[key]}
      words={choiceWords(settings[key], read.data)}
      none={t.any}
      onChoose={(next) => change({ [key]: choiceText(next) })}
    />
  );
  return (
    <WebsiteScreen
      scene={scene}
      read={read}
      of={useWebsiteOfPath(read.fault)}
      title={texts.value.website.screens.retention}
    >
      <div class="row path-settings screen-only">
        {choice('start')}
        {choice('returning')}
        <Field
          label={t.mode}
          value={mode}
          onInput={(next) => change({ mode: next === MODES[0] ? undefined : next }, true)}
          options={MODES.map((value) => ({ value, text: t.modes[value] }))}
        />
        <Field
          label={t.show}
          value={shown}
          onInput={(next) => change({ show: next === SHOWN[0] ? undefined : next }, true)}
          options={SHOWN.map((value) => ({ value, text: t.shown[value] }))}
        />
      </div>
      <PartCard title={t.title} definition={t.definition} read={read} dataset="retention">
        {(answer, isOld) => {
          if (!isOld) asked.current = { scene, settings: { ...settings } };
          const drawn = asked.current;
          const cohorts = cohortsOf(answer, drawn.scene, { now: read.at ?? 0, today: scene.today });
          if (cohorts.length === 0) {
            return <p class="soft nothing">{drillTexts.value.nothing}</p>;
          }
          return (
            <>
              <CohortTable {...drawn} shown={shown} cohorts={cohorts} />
              <div class="row spread">
                <span />
                <ExportActs
                  title={t.title}
                  file="retention"
                  {...tableOf(answer.data)}
                  request={queryRequest(scene, [question])}
                />
              </div>
            </>
          );
        }}
      </PartCard>
    </WebsiteScreen>
  );
}
