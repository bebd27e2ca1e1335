/** What a request meets, by method, path and who asks; nothing is sent. All of it stands in the address. */
import { useState } from 'preact/hooks';
import { useAddress } from '../../address.ts';
import { session } from '../../api/session.ts';
import { saidOf } from '../../api/use-write.ts';
import { Button } from '../../design/button.tsx';
import { Field } from '../../design/field.tsx';
import { Form } from '../../design/form.tsx';
import { texts } from '../../texts/texts.ts';
import { Explained } from './explained.tsx';
import { platformTexts } from './texts.ts';
import { useView } from './use-view.ts';

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];
const CALLERS = ['anybody', 'nobody', 'viewer', 'member', 'admin', 'owner', 'operator', 'key'] as const;

/** Whether what is told depends on an organization. */
const isOfOrganization = (caller: string) => caller !== 'anybody' && caller !== 'nobody';

export function ExplainView() {
  const t = platformTexts.value;
  const { parameters, change } = useAddress();
  const { as } = parameters;
  const known = CALLERS.find((name) => name === as) ?? (as === undefined ? 'anybody' : 'key');
  const [method, setMethod] = useState(parameters.method ?? 'GET');
  const [path, setPath] = useState(parameters.path ?? '');
  const [caller, setCaller] = useState<string>(known);
  const [key, setKey] = useState(known === 'key' ? (as ?? '') : '');
  // An address without one asks about the own: what the field holds is what is answered.
  const asked = parameters.organization ?? session.value?.activeOrganizationId ?? '';
  const [organization, setOrganization] = useState(asked);
  const { path: target } = parameters;
  const read = useView(
    'explain',
    target === undefined
      ? null
      : {
          ...{ method: parameters.method ?? 'GET', path: target, as },
          organization: isOfOrganization(known) ? asked : undefined,
        },
  );
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
            onInput={setMethod}
            fault={saidOf(read.fault, 'method')}
            options={METHODS.map((value) => ({ value, text: value }))}
          />
          <Field
            label={t.path}
            value={path}
            onInput={setPath}
            fault={saidOf(read.fault, 'path')}
            isRequired
            maxLength={2_000}
            placeholder="/v1/query"
          />
          <Field
            label={t.as}
            value={caller}
            onInput={setCaller}
            options={CALLERS.map((value) => ({ value, text: names[value] }))}
          />
          {caller === 'key' && (
            <Field
              label={t.key}
              hint={t.keyHint}
              value={key}
              onInput={setKey}
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
              onInput={setOrganization}
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
