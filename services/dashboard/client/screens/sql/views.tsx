/** The views that a query may read, with their columns: asked for when somebody opens the list. */
import { Fragment } from 'preact';
import { useState } from 'preact/hooks';
import { useRead } from '../../api/use-read.ts';
import { Button } from '../../design/button.tsx';
import { Loaded } from '../../states/loaded.tsx';
import { sqlTexts } from './texts.ts';

interface Answer {
  readonly views: Readonly<
    Record<string, readonly { readonly name: string; readonly type: string; readonly description: string }[]>
  >;
}

const REQUEST = { path: '/v1/query/types' };

export function Views() {
  const t = sqlTexts.value;
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <div>
        <Button kind="plain" icon="table" isPressed={isOpen} onClick={() => setOpen(!isOpen)}>
          {t.views}
        </Button>
      </div>
      {isOpen && <List />}
    </>
  );
}

function List() {
  const read = useRead<Answer>(REQUEST);
  return (
    <Loaded read={read} lines={10}>
      {({ views }) => (
        <dl class="facts">
          {Object.entries(views).map(([view, columns]) => (
            <Fragment key={view}>
              <dt>
                <code>{view}</code>
              </dt>
              <dd>
                {columns.map(({ name, type, description }) => (
                  <span key={name} title={`${type}: ${description}`}>
                    <code>{name}</code>{' '}
                  </span>
                ))}
              </dd>
            </Fragment>
          ))}
        </dl>
      )}
    </Loaded>
  );
}
