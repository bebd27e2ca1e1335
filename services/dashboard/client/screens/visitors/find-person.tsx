/** Finds a person by the identifier under which `/identify` and events know them. */
import { useState } from 'preact/hooks';
import { useAddress } from '../../address.ts';
import { may } from '../../api/session.ts';
import { Button } from '../../design/button.tsx';
import { Field } from '../../design/field.tsx';
import { Form } from '../../design/form.tsx';
import { Person } from './person.tsx';
import { visitorsTexts } from './texts.ts';

export function FindPerson({ websiteId }: { websiteId: string }) {
  const t = visitorsTexts.value.person;
  const { parameters, change } = useAddress();
  const { person = '' } = parameters;
  const [typed, setTyped] = useState(person);
  if (!may('manage:websites')) return null;
  return (
    <>
      <section class="card stack">
        <h2>{t.find}</h2>
        <Form onSubmit={() => change({ person: typed.trim() })}>
          <Field label={t.id} hint={t.idHint} value={typed} onInput={setTyped} maxLength={128} />
          <div class="row">
            <Button type="submit" icon="search" isBusy={typed.trim() === ''}>
              {t.search}
            </Button>
          </div>
        </Form>
      </section>
      {person !== '' && <Person key={person} profileId={person} websiteId={websiteId} />}
    </>
  );
}
