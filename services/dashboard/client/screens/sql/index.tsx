/** Questions over the events of a website: custom SQL, or datasets of the catalogue; what is asked stands in the address. */
import { useState } from 'preact/hooks';
import { HOME, useAddress, usePathPart } from '../../address.ts';
import { knownWebsite } from '../../api/websites.ts';
import { Button } from '../../design/button.tsx';
import { Field } from '../../design/field.tsx';
import { Form } from '../../design/form.tsx';
import { PageHead } from '../../design/page-head.tsx';
import { Tabs } from '../../design/tabs.tsx';
import { timezone } from '../../texts/format.ts';
import { dayIn, isDay, presetDays } from '../../website/calendar.ts';
import { Datasets } from './datasets.tsx';
import { parameterNames, typedParameters } from './query-parameters.ts';
import { type Asked, Result } from './result.tsx';
import { sqlTexts } from './texts.ts';
import { Views } from './views.tsx';

/** Longer queries stand in no address. */
const MOST_IN_ADDRESS = 4_000;
const MOST_CHARACTERS = 16_384;
const FIRST_QUERY = 'SELECT path, count(*) AS views\nFROM pageviews\nGROUP BY path\nORDER BY views DESC';
const WAYS = ['sql', 'datasets'] as const;

export function Sql() {
  const t = sqlTexts.value;
  const websiteId = usePathPart('websiteId');
  const { parameters, change } = useAddress();
  // Its name is no reason to ask for anything.
  const [known] = useState(() => knownWebsite(websiteId));
  const way = WAYS.find((name) => name === parameters.view) ?? 'sql';
  return (
    <>
      <PageHead title={known ? t.title(known.name) : t.link} lead={t.lead}>
        <a href={`${HOME}/websites/${encodeURIComponent(websiteId)}`}>{t.back}</a>
      </PageHead>
      <Tabs
        label={t.way}
        tabs={WAYS.map((key) => ({ key, text: t.ways[key] }))}
        chosen={way}
        onChoose={(view) => change({ view })}
      >
        {way === 'sql' ? <CustomSql websiteId={websiteId} /> : <OfCatalogue websiteId={websiteId} />}
      </Tabs>
    </>
  );
}

function CustomSql({ websiteId }: { websiteId: string }) {
  const t = sqlTexts.value;
  const { parameters, change } = useAddress();
  const { first, last } = lastDays();
  const [sql, setSql] = useState(parameters.sql ?? FIRST_QUERY);
  const [from, setFrom] = useState(dayOf(parameters.from) ?? first);
  const [to, setTo] = useState(dayOf(parameters.to) ?? last);
  const [typed, type] = useState(() => typedParameters(parameters.params));
  const present: Asked = { sql, from, to, parameters: typed };
  const [asked, ask] = useState<Asked | null>(parameters.sql === undefined ? null : present);
  const names = parameterNames(sql);
  function run(): void {
    ask(present);
    const params = names.length === 0 ? undefined : JSON.stringify(typed);
    const isShort = sql.length + (params?.length ?? 0) <= MOST_IN_ADDRESS;
    change({ sql: isShort ? sql : undefined, params: isShort ? params : undefined, from, to });
  }
  return (
    <>
      <section class="card stack">
        <Form onSubmit={run}>
          <Field
            label={t.query}
            value={sql}
            onInput={setSql}
            lines={8}
            maxLength={MOST_CHARACTERS}
            isRequired
          />
          {names.map((name) => (
            <Field
              key={name}
              label={`$${name}`}
              value={typed[name] ?? ''}
              onInput={(value) => type({ ...typed, [name]: value })}
              hint={t.parameterHint}
              maxLength={1_000}
            />
          ))}
          <div class="row">
            <Field label={t.from} type="date" value={from} onInput={setFrom} isRequired />
            <Field label={t.to} type="date" value={to} onInput={setTo} isRequired />
            <Button kind="primary" type="submit">
              {t.run}
            </Button>
          </div>
        </Form>
        <Views />
      </section>
      {asked !== null && <Result websiteId={websiteId} asked={asked} />}
    </>
  );
}

function OfCatalogue({ websiteId }: { websiteId: string }) {
  const t = sqlTexts.value;
  const { parameters, change } = useAddress();
  const { first, last } = lastDays();
  const from = dayOf(parameters.from) ?? first;
  const to = dayOf(parameters.to) ?? last;
  const day = (name: 'from' | 'to', value: string) => (
    <Field
      label={t[name]}
      type="date"
      value={value}
      onInput={(text) => isDay(text) && change({ [name]: text }, true)}
      isRequired
    />
  );
  return (
    <>
      <div class="row">
        {day('from', from)}
        {day('to', to)}
      </div>
      <Datasets websiteId={websiteId} from={from} to={to} />
    </>
  );
}

function lastDays() {
  return presetDays('last_30d', dayIn(timezone.value, Date.now()));
}

function dayOf(text: string | undefined): string | undefined {
  return text !== undefined && isDay(text) ? text : undefined;
}
