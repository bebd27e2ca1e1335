/** Custom SQL over the events of a website: the query and its days stand in the address, the views and their columns beside it. */
import { useState } from 'preact/hooks';
import { HOME, useAddress, usePathPart } from '../../address.ts';
import { knownWebsite } from '../../api/websites.ts';
import { Button } from '../../design/button.tsx';
import { Field } from '../../design/field.tsx';
import { Form } from '../../design/form.tsx';
import { PageHead } from '../../design/page-head.tsx';
import { timezone } from '../../texts/format.ts';
import { texts } from '../../texts/texts.ts';
import { dayIn, isDay, presetDays } from '../../website/calendar.ts';
import { type Asked, Result } from './result.tsx';
import { sqlTexts } from './texts.ts';
import { Views } from './views.tsx';

/** Longer queries stand in no address. */
const MOST_IN_ADDRESS = 4_000;
const MOST_CHARACTERS = 16_384;
const FIRST_QUERY = 'SELECT path, count(*) AS views\nFROM pageviews\nGROUP BY path\nORDER BY views DESC';

export function Sql() {
  const t = sqlTexts.value;
  const websiteId = usePathPart('websiteId');
  const { parameters, change } = useAddress();
  // Its name is no reason to ask for anything.
  const [known] = useState(() => knownWebsite(websiteId));
  const { first, last } = presetDays('last_30d', dayIn(timezone.value, Date.now()));
  const [sql, setSql] = useState(parameters.sql ?? FIRST_QUERY);
  const [from, setFrom] = useState(dayOf(parameters.from) ?? first);
  const [to, setTo] = useState(dayOf(parameters.to) ?? last);
  const [asked, ask] = useState<Asked | null>(parameters.sql === undefined ? null : { sql, from, to });
  function run(): void {
    ask({ sql, from, to });
    change({ sql: sql.length <= MOST_IN_ADDRESS ? sql : undefined, from, to });
  }
  return (
    <>
      <PageHead title={t.title(known?.name ?? texts.value.words.website)} lead={t.lead}>
        <a href={`${HOME}/websites/${encodeURIComponent(websiteId)}`}>{t.back}</a>
      </PageHead>
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

function dayOf(text: string | undefined): string | undefined {
  return text !== undefined && isDay(text) ? text : undefined;
}
