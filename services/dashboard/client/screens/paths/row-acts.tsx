/** The buttons that change and delete what a row is. */
import { Button } from '../../design/button.tsx';
import { texts } from '../../texts/texts.ts';
import { pathsTexts } from './texts.ts';

interface RowActsProps {
  readonly name: string;
  readonly onAct: (act: 'change' | 'remove') => void;
}

export function RowActs({ name, onAct }: RowActsProps) {
  const p = pathsTexts.value;
  return (
    <span class="row one-line screen-only">
      <Button label={p.changeOf(name)} onClick={() => onAct('change')}>
        {texts.value.words.change}
      </Button>
      <Button kind="danger" icon="trash-2" label={p.removeOf(name)} onClick={() => onAct('remove')}>
        {''}
      </Button>
    </span>
  );
}
