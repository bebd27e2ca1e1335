/** A new website: its name and domain, then the line to copy, then the first event. */
import { useLayoutEffect, useState } from 'preact/hooks';
import { HOME, useAddress } from '../../address.ts';
import { asMissing } from '../../api/fault.ts';
import { may } from '../../api/session.ts';
import { useLeft } from '../../api/use-left.ts';
import { useRead } from '../../api/use-read.ts';
import { useWrite } from '../../api/use-write.ts';
import type { WebsiteInput, WebsiteView } from '../../api/wire.ts';
import { Button } from '../../design/button.tsx';
import { Field } from '../../design/field.tsx';
import { Form } from '../../design/form.tsx';
import { PageHead } from '../../design/page-head.tsx';
import { FaultNotice } from '../../states/fault-notice.tsx';
import { Forbidden } from '../../states/forbidden.tsx';
import { Loaded } from '../../states/loaded.tsx';
import { texts } from '../../texts/texts.ts';
import { Installation } from './installation.tsx';
import { Waiting } from './waiting.tsx';

export function NewWebsite() {
  const t = texts.value.website;
  const { parameters, go } = useAddress();
  const [created, setCreated] = useState<WebsiteView>();
  const { website } = parameters;
  if (!may('manage:websites')) return <Forbidden title={t.create.title} />;
  if (!website) {
    return (
      <Create
        onCreated={(view) => {
          setCreated(view);
          // The address names it, so that a reload goes on here instead of making another one.
          go(`${HOME}/websites/new`, { website: view.id }, true);
        }}
      />
    );
  }
  return created?.id === website ? <Install website={created} /> : <InstallFound id={website} />;
}

function Steps({ current }: { current: 0 | 1 }) {
  const { steps } = texts.value.website.create;
  return (
    <ol class="steps">
      {steps.map((step, index) => (
        <li key={step} aria-current={index === current ? 'step' : undefined}>
          {step}
        </li>
      ))}
    </ol>
  );
}

function Create({ onCreated }: { onCreated: (website: WebsiteView) => void }) {
  const t = texts.value;
  const [name, setName] = useState('');
  const [domain, setDomain] = useState('');
  const write = useWrite();
  const isLeft = useLeft();
  async function submit(): Promise<void> {
    const body: WebsiteInput = { name: name.trim() || domain.trim(), domain };
    const answer = await write.send<{ data: WebsiteView }>({ method: 'POST', path: '/v1/websites', body });
    if (answer?.ok && !isLeft()) onCreated(answer.body.data);
  }
  return (
    <>
      <PageHead title={t.website.create.title} />
      <Steps current={0} />
      <section class="card narrow">
        <Form onSubmit={() => void submit()} fault={write.fault}>
          {write.fault && <FaultNotice fault={write.fault} />}
          <Field
            label={t.website.domain}
            hint={t.website.domainHint}
            name="domain"
            value={domain}
            onInput={setDomain}
            fault={write.faultOf('domain')}
            placeholder="shop.example.com"
            isRequired
            autoFocus
          />
          <Field
            label={t.words.name}
            hint={t.website.create.nameHint}
            name="name"
            value={name}
            onInput={setName}
            fault={write.faultOf('name')}
            maxLength={100}
            isOptional
          />
          <div class="row">
            <Button kind="primary" type="submit" isBusy={write.isSending}>
              {t.website.create.submit}
            </Button>
            <Button kind="plain" href={HOME}>
              {t.words.cancel}
            </Button>
          </div>
        </Form>
      </section>
    </>
  );
}

/** After a reload, or from the list: what it is called is asked first. */
function InstallFound({ id }: { id: string }) {
  const read = useRead<{ data: WebsiteView }>({ path: `/v1/websites/${encodeURIComponent(id)}` });
  if (read.data) return <Install website={read.data.data} />;
  return (
    <>
      <PageHead title={texts.value.website.create.title} />
      <Loaded read={{ ...read, fault: asMissing(read.fault) }} lines={9}>
        {() => null}
      </Loaded>
    </>
  );
}

function Install({ website: { id, name, domain } }: { website: WebsiteView }) {
  // What had the focus went with the form: readers of the screen go on at the top of what came.
  useLayoutEffect(() => document.getElementById('content')?.focus(), []);
  return (
    <>
      <PageHead title={name} lead={<bdi>{domain}</bdi>} />
      <Steps current={1} />
      <Installation websiteId={id} domain={domain} />
      <Waiting websiteId={id} />
    </>
  );
}
