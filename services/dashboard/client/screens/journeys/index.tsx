/** What visits of a website do one after another: from where they begin, or around a page, event or goal. */
import { useAddress, usePathPart } from '../../address.ts';
import { useRead } from '../../api/use-read.ts';
import { Field } from '../../design/field.tsx';
import { Tabs } from '../../design/tabs.tsx';
import { listingQuestion, MOST_ROWS } from '../../drill/listing.ts';
import { type DrawCell, ListingTable } from '../../drill/listing-table.tsx';
import { PartCard } from '../../drill/part-card.tsx';
import { useListing } from '../../drill/use-listing.ts';
import { useTab } from '../../drill/use-tab.ts';
import { texts } from '../../texts/texts.ts';
import { type QueryBatch, textOf } from '../../website/batch.ts';
import { queryRequest } from '../../website/scene.ts';
import { useScene } from '../../website/use-scene.ts';
import { useWebsiteOfPath, WebsiteScreen } from '../../website/website-screen.tsx';
import { ChoiceButton } from '../paths/choice-button.tsx';
import { choiceWords, withGoals } from '../paths/choice-question.ts';
import { choiceText } from '../paths/event-choice.ts';
import { DEPTHS, DIRECTIONS, journeyListing, KINDS, settingsOf, WIDTHS } from './model.ts';
import { StepColumns } from './step-columns.tsx';
import { stopText } from './stop-text.ts';
import { journeysTexts } from './texts.ts';

const TABS = ['steps', 'links'] as const;

const CELLS: Readonly<Record<string, DrawCell>> = {
  from_name: (row, _, usual) => (textOf(row, 'from_type') === 'other' ? journeysTexts.value.others : usual),
  name: (row) => <bdi>{stopText(textOf(row, 'type'), textOf(row, 'name'))}</bdi>,
};

export function Journeys() {
  const t = journeysTexts.value;
  const { screens } = texts.value.website;
  const { parameters, change } = useAddress();
  const scene = useScene(usePathPart('websiteId'));
  const [tab, showTab] = useTab(TABS);
  const settings = settingsOf(parameters);
  const { start, direction, kinds } = settings;
  const listing = journeyListing(settings);
  const view = useListing(listing);
  // Steps are made of all links.
  const question =
    tab === 'links'
      ? listingQuestion(scene, listing, view)
      : listingQuestion(scene, listing, { sort: listing.sort, search: '', page: 1 }, MOST_ROWS);
  const read = useRead<QueryBatch>(queryRequest(scene, withGoals(scene, question, [start])));
  const words = choiceWords(start, read.data);
  const setting = <Name extends 'direction' | 'kinds' | 'depth' | 'width'>(
    name: Name,
    label: string,
    values: readonly string[],
    named: Readonly<Record<string, string>> = {},
  ) => (
    <Field
      label={label}
      value={settings[name]}
      onInput={(next) =>
        change({ [name]: next === values[0] ? undefined : next, page: undefined, at: undefined })
      }
      options={values
        .toSorted((a, b) => Number(a) - Number(b))
        .map((value) => ({ value, text: named[value] ?? value }))}
    />
  );
  return (
    <WebsiteScreen scene={scene} read={read} of={useWebsiteOfPath(read.fault)} title={screens.journeys}>
      <div class="row path-settings screen-only">
        <ChoiceButton
          label={t.start}
          websiteId={scene.websiteId}
          choice={start}
          words={words}
          none={t.first[kinds]}
          onChoose={(next) => change({ start: choiceText(next), page: undefined, at: undefined })}
        />
        {setting('direction', t.direction, DIRECTIONS, t.directions)}
        {!(start && 'goalId' in start) && setting('kinds', t.kinds, KINDS, t.kindsOf)}
        {setting('depth', t.depth, DEPTHS)}
        {setting('width', t.width, WIDTHS)}
      </div>
      {direction === 'backward' && start === undefined && <p class="hint">{t.needsStart}</p>}
      <Tabs
        label={screens.journeys}
        chosen={tab}
        tabs={TABS.map((key) => ({ key, text: t.tabs[key] }))}
        onChoose={showTab}
      >
        {tab === 'links' ? (
          <ListingTable
            title={t.tabs.links}
            definition={t.linksDefinition}
            titles={t.columns}
            listing={listing}
            view={view}
            scene={scene}
            read={read}
            cells={CELLS}
            nothing={t.nothing}
          />
        ) : (
          <PartCard title={t.tabs.steps} definition={t.definition} read={read} dataset="journey">
            {(answer) =>
              answer.data.length === 0 ? (
                <p class="soft nothing">{t.nothing}</p>
              ) : (
                <StepColumns answer={answer} scene={scene} settings={settings} words={words} />
              )
            }
          </PartCard>
        )}
      </Tabs>
    </WebsiteScreen>
  );
}
