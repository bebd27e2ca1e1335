/** Which websites a key reaches: all, or some, found by search, since an organization may have thousands. */
import { useId, useState } from 'preact/hooks';
import { useWebsites, type WebsiteSummary } from '../../api/websites.ts';
import { Button } from '../../design/button.tsx';
import { Check } from '../../design/check.tsx';
import { Field } from '../../design/field.tsx';
import { Worded } from '../../design/worded.tsx';
import { Loaded } from '../../states/loaded.tsx';
import { language, texts } from '../../texts/texts.ts';
import type { Words } from '../../texts/worded.ts';
import { keysTexts } from './texts.ts';
import type { Names } from './website-names.ts';
import type { Reach } from './wishes.ts';

/** Websites on a page of what is found. */
const SHOWN = 20;
/** Chosen ones that are named; the others are counted. */
const NAMED = 30;

interface WebsiteFieldsProps {
  readonly reach: Reach;
  readonly onChange: (reach: Reach) => void;
  readonly names: Names;
  readonly onNames: (names: Names) => void;
  readonly fault: Words | undefined;
  /** Scopes that open nothing with some websites. */
  readonly needsAll: boolean;
}

export function WebsiteFields(props: WebsiteFieldsProps) {
  const { reach, onChange, fault, needsAll } = props;
  const t = keysTexts.value;
  const id = useId();
  return (
    <div class="stack">
      <fieldset class="checks" aria-describedby={fault && `${id}-fault`}>
        <legend class="unseen">{texts.value.words.websites}</legend>
        {(['global', 'website'] as const).map((level) => (
          <Check
            key={level}
            group={id}
            label={t.access[level]}
            hint={level === 'website' ? t.websitesLead : undefined}
            isChecked={reach.level === level}
            onChange={() => onChange({ ...reach, level })}
          />
        ))}
      </fieldset>
      {reach.level === 'website' && needsAll && <p class="hint">{t.configNeedsAll}</p>}
      {fault && (
        <p class="fault" id={`${id}-fault`} role="alert">
          <Worded text={fault} />
        </p>
      )}
      {reach.level === 'website' && <Some {...props} />}
    </div>
  );
}

function Some({ reach, onChange, names, onNames }: WebsiteFieldsProps) {
  const t = keysTexts.value;
  const [search, setSearch] = useState('');
  const [page, setPage] = useState(0);
  const read = useWebsites(true);
  const choose = ({ id, name }: WebsiteSummary, isChosen: boolean) => {
    const others = reach.websiteIds.filter((each) => each !== id);
    onNames(new Map(names).set(id, name));
    onChange({ ...reach, websiteIds: isChosen ? [...others, id] : others });
  };
  return (
    <div class="website-picker stack">
      <Chosen
        ids={reach.websiteIds}
        names={names}
        onDrop={(id) => onChange({ ...reach, websiteIds: reach.websiteIds.filter((each) => each !== id) })}
      />
      <search>
        <Field
          type="search"
          label={t.websiteSearch}
          hint={t.websiteSearchHint}
          value={search}
          onInput={(text) => {
            setSearch(text);
            setPage(0);
          }}
          maxLength={200}
        />
      </search>
      <Loaded read={read} lines={6}>
        {({ websites }) => {
          const found = foundAmong(websites, search);
          const end = (page + 1) * SHOWN;
          return (
            <>
              <fieldset class="checks websites-found">
                <legend class="unseen">{t.websitesFound}</legend>
                {found.slice(end - SHOWN, end).map((website) => (
                  <Check
                    key={website.id}
                    label={<bdi>{website.name}</bdi>}
                    hint={website.domain}
                    isChecked={reach.websiteIds.includes(website.id)}
                    onChange={(isChosen) => choose(website, isChosen)}
                  />
                ))}
              </fieldset>
              <p class="hint" role="status">
                {found.length === 0 && (search.trim() === '' ? t.noWebsite : t.noWebsiteFound)}
              </p>
              {found.length > SHOWN && (
                <div class="row">
                  {page > 0 && (
                    <Button icon="chevron-left" onClick={() => setPage(0)}>
                      {texts.value.words.firstPage}
                    </Button>
                  )}
                  {found.length > end && (
                    <Button icon="chevron-right" onClick={() => setPage(page + 1)}>
                      {texts.value.words.nextPage}
                    </Button>
                  )}
                </div>
              )}
            </>
          );
        }}
      </Loaded>
    </div>
  );
}

/** Those whose name or domain contains the text, in any case, by name. */
function foundAmong(websites: readonly WebsiteSummary[], search: string): readonly WebsiteSummary[] {
  const wanted = search.trim().toLowerCase();
  const { compare } = new Intl.Collator(language.value);
  return websites
    .filter(({ name, domain }) => [name, domain].some((text) => text.toLowerCase().includes(wanted)))
    .sort((a, b) => compare(a.name, b.name));
}

interface ChosenProps {
  readonly ids: readonly string[];
  readonly names: Names;
  readonly onDrop: (id: string) => void;
}

function Chosen({ ids, names, onDrop }: ChosenProps) {
  const t = keysTexts.value;
  return (
    <div class="stack">
      <p role="status" class="small">
        {t.chosen(ids.length)}
      </p>
      {ids.length > 0 && (
        <ul class="chosen-websites row">
          {ids.slice(0, NAMED).map((id) => {
            const name = names.get(id);
            return (
              <li key={id}>
                <Button icon="x" label={t.drop(name ?? id)} onClick={() => onDrop(id)}>
                  <bdi>{name ?? id}</bdi>
                  {name === null && <span class="soft"> ({t.deletedWebsite})</span>}
                </Button>
              </li>
            );
          })}
          {ids.length > NAMED && <li class="soft">{t.andMore(ids.length - NAMED)}</li>}
        </ul>
      )}
    </div>
  );
}
