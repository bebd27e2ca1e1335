/** What a request meets, by method, path and who asks; nothing is sent. All of it stands in the address. */
import { useEffect, useState } from 'preact/hooks';
import { useAddress } from '../../address.ts';
import type { Parameters } from '../../address-of.ts';
import { session } from '../../api/session.ts';
import { saidOf } from '../../api/use-write.ts';
import { Button } from '../../design/button.tsx';
import { Field } from '../../design/field.tsx';
import { Form } from '../../design/form.tsx';
import { texts } from '../../texts/texts.ts';
import { Explained } from './explained.tsx';
import { platformTexts } from './texts.ts';
import { useView } from './use-view.ts';

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];
const CALLERS = ['anybody', 'nobody', 'viewer', 'member', 'admin', 'owner', 'operator', 'key'] as const;

/** Whether what is told depends on an organization. */
const isOfOrganization = (caller: string) => caller !== 'anybody' && caller !== 'nobody';

/** What the form holds of an address. */
function draftOf({ method = 'GET', path = '', as, organization }: Parameters) {
  const caller = CALLERS.find((name) => name === as) ?? (as === undefined ? 'anybody' : 'key');
  return {
    ...{ method, path, caller: caller as string },
    key: caller === 'key' ? (as ?? '') : '',
    // An address without one asks about the own: what the field holds is what is answered.
    organization: organization ?? session.value?.activeOrganizationId ?? '',
  };
}

export function ExplainView() {
  const t = platformTexts.value;
  const { parameters, change } = useAddress();
  const asked = draftOf(parameters);
  const [draft, setDraft] = useState(asked);
  // The way back and forward leads to what was asked there.
  useEffect(() => setDraft(asked), [JSON.stringify(asked)]);
  const edit = (name: keyof typeof draft) => (value: string) => setDraft({ ...draft, [name]: value });
  const { path: target, as } = parameters;
  const read = useView(
    'explain',
    target === undefined
      ? null
      : {
          ...{ method: asked.method, path: target, as },
          organization: isOfOrganization(asked.caller) ? asked.organization : undefined,
        },
  );
  const { method, path, caller, key, organization } = draft;
  const methods = METHODS.includes(method) ? METHODS : [...METHODS, method];
  const names = { ...texts.value.words.roles, ...t.callers };
  const hasOrganization = isOfOrganization(caller);
  return (
    <>
      <Form
        fault={read.fault}
        onSubmit={() =>
          change({
            method,
            path: path.startsWith('/') ? path : `/${path}`,
            as: caller === 'anybody' ? undefined : caller === 'key' ? key : caller,
            organization: hasOrganization ? organization : undefined,
          })
        }
      >
        <div class="row">
          <Field
            label={t.method}
            value={method}
            onInput={edit('method')}
            fault={saidOf(read.fault, 'method')}
            options={methods.map((value) => ({ value, text: value }))}
          />
          <Field
            label={t.path}
            value={path}
            onInput={edit('path')}
            fault={saidOf(read.fault, 'path')}
            isRequired
            maxLength={2_000}
            placeholder="/v1/query"
          />
          <Field
            label={t.as}
            value={caller}
            onInput={edit('caller')}
            options={CALLERS.map((value) => ({ value, text: names[value] }))}
          />
          {caller === 'key' && (
            <Field
              label={t.key}
              hint={t.keyHint}
              value={key}
              onInput={edit('key')}
              fault={saidOf(read.fault, 'as')}
              isRequired
              pattern="key_\w{1,36}"
              placeholder="key_…"
            />
          )}
          {hasOrganization && (
            <Field
              label={t.organization}
              value={organization}
              onInput={edit('organization')}
              fault={saidOf(read.fault, 'organization')}
              isRequired
              maxLength={100}
            />
          )}
        </div>
        <div>
          <Button type="submit">{t.explain}</Button>
        </div>
      </Form>
      {target !== undefined && <Explained read={read} />}
    </>
  );
}
