/** Every component of the design on one page, for those who build screens. */
import { useState } from 'preact/hooks';
import { Button } from '../../design/button.tsx';
import { Check } from '../../design/check.tsx';
import { Copy } from '../../design/copy.tsx';
import { Definition } from '../../design/definition.tsx';
import { Dialog } from '../../design/dialog.tsx';
import { Field } from '../../design/field.tsx';
import { Icon } from '../../design/icon.tsx';
import type { IconName } from '../../design/icons.ts';
import { Menu } from '../../design/menu.tsx';
import { Notice } from '../../design/notice.tsx';
import { PageHead } from '../../design/page-head.tsx';
import { Table } from '../../design/table.tsx';
import { Empty } from '../../states/empty.tsx';
import { Skeleton } from '../../states/skeleton.tsx';

const COLOURS = [
  'ground',
  'surface',
  'raised',
  'sunken',
  'line',
  'line-strong',
  'text',
  'text-soft',
  'accent',
  'accent-soft',
  'good',
  'good-soft',
  'warn',
  'warn-soft',
  'bad',
  'bad-soft',
  'chart',
  'chart-soft',
];
const ROWS = [
  { page: '/', views: 1_204 },
  { page: '/pricing', views: 310 },
];

export function Styles() {
  const [text, setText] = useState('');
  const [isOpen, setOpen] = useState(false);
  const [isTicked, setTicked] = useState(true);
  return (
    <main class="stack styles" id="content">
      <PageHead title="Styles" lead="Every component, as screens use it.">
        <Button kind="primary">Act</Button>
      </PageHead>
      <section class="card stack">
        <h2>Colours</h2>
        <ul class="swatches">
          {COLOURS.map((name) => (
            <li key={name} class="row">
              <span class="swatch" style={{ background: `var(--${name})` }} />
              <code>{name}</code>
            </li>
          ))}
        </ul>
      </section>
      <section class="card stack">
        <h2>Type</h2>
        <h3>Heading of a part</h3>
        <p>
          Text, <a href="#content">the top of this page</a>, <code>code</code>,{' '}
          <span class="soft">soft text</span>.
        </p>
      </section>
      <section class="card stack">
        <h2>Acts</h2>
        <div class="row">
          <Button>Button</Button>
          <Button kind="primary" icon="plus">
            Primary
          </Button>
          <Button kind="danger" icon="trash-2">
            Danger
          </Button>
          <Button kind="plain">Plain</Button>
          <Button isBusy>Busy</Button>
          <Button onClick={() => setOpen(true)}>Dialog</Button>
          <Menu label="Menu">
            <Button kind="plain">First</Button>
            <Button kind="plain">Second</Button>
          </Menu>
          <Definition term="Visitors" text="People who opened a page, each counted once." />
        </div>
        <Copy label="A line" text="curl https://example.com" />
      </section>
      <section class="card stack">
        <h2>Forms</h2>
        <Field label="Text" value={text} onInput={setText} hint="A hint." />
        <Field label="Faulty" value={text} onInput={setText} fault="At least one character." />
        <Field label="Choice" value="a" onInput={() => {}} options={[{ value: 'a', text: 'One' }]} />
        <Check label="Box" hint="What it does." isChecked={isTicked} onChange={setTicked} />
      </section>
      <section class="card stack">
        <h2>Messages</h2>
        <Notice>For your information.</Notice>
        <Notice kind="good">Done.</Notice>
        <Notice kind="warn">Be careful.</Notice>
        <Notice kind="bad">It failed.</Notice>
        <div class="row">
          <span class="badge">plain</span>
          <span class="badge good">good</span>
          <span class="badge warn">warn</span>
          <span class="badge bad">bad</span>
        </div>
        <Skeleton lines={3} />
        <Empty title="Nothing here">What to do about it.</Empty>
      </section>
      <section class="card stack">
        <h2>Table</h2>
        <Table
          caption="Pages"
          rows={ROWS}
          rowKey={({ page }) => page}
          columns={[
            { key: 'page', title: 'Page', cell: ({ page }) => page },
            { key: 'views', title: 'Views', isNumber: true, cell: ({ views }) => views },
          ]}
        />
      </section>
      <section class="card stack">
        <h2>Icons</h2>
        <ul class="swatches">
          {iconNames().map((name) => (
            <li key={name} class="row">
              <Icon name={name} /> <code>{name}</code>
            </li>
          ))}
        </ul>
      </section>
      {isOpen && (
        <Dialog title="A dialog" onClose={() => setOpen(false)}>
          <p>Escape closes it.</p>
          <Button onClick={() => setOpen(false)}>Close</Button>
        </Dialog>
      )}
    </main>
  );
}

/** Those of the sprite in the document. */
function iconNames(): readonly IconName[] {
  return [...document.querySelectorAll('symbol')].map(({ id }) => id.replace('icon-', '') as IconName);
}
