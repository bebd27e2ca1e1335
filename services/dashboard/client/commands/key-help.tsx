/** The keys of the pages, and the switch that turns single ones off. */
import { Button } from '../design/button.tsx';
import { Check } from '../design/check.tsx';
import { Dialog } from '../design/dialog.tsx';
import { Table } from '../design/table.tsx';
import { places } from '../frame/places.ts';
import { areSingleKeysOn, turnSingleKeys } from '../frame/single-keys.ts';
import { texts } from '../texts/texts.ts';
import { commandTexts } from './texts.ts';

export function KeyHelp({ onClose }: { onClose: () => void }) {
  const t = commandTexts.value;
  const rows = [
    ...Object.entries(t.keys),
    ...places().map(({ letter, text }) => [`g ${letter}`, t.goes(text)] as const),
  ];
  return (
    <Dialog title={t.help} onClose={onClose}>
      <Check
        label={t.singleKeys}
        hint={t.singleKeysHint}
        isChecked={areSingleKeysOn.value}
        onChange={turnSingleKeys}
      />
      <Table
        caption={t.help}
        rows={rows}
        rowKey={([key]) => key}
        columns={[
          { key: 'key', title: t.key, cell: ([key]) => <kbd>{key}</kbd> },
          { key: 'act', title: t.act, cell: ([, act]) => act },
        ]}
      />
      <Button onClick={onClose}>{texts.value.words.close}</Button>
    </Dialog>
  );
}
