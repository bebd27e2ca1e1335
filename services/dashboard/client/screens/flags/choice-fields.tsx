/** What a flag names of a list of the API, such as target groups: in order, and found by search, as there may be hundreds. */
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { useRead } from '../../api/use-read.ts';
import { Button } from '../../design/button.tsx';
import { Field } from '../../design/field.tsx';
import { FormRows } from '../../design/form-rows.tsx';
import { useTypedSearch } from '../../design/typed-search.ts';
import { Worded } from '../../design/worded.tsx';
import type { Page } from '../../exports/whole-list.ts';
import { Loaded } from '../../states/loaded.tsx';
import { texts } from '../../texts/texts.ts';
import type { Words } from '../../texts/worded.ts';
import { flagTexts } from './texts.ts';

/** As many as a flag may name. */
const MOST_CHOSEN = 50;
/** As many as are read; what cannot be chosen is left out of them. */
const READ = 100;
/** As many as are shown: the others are found by a longer search. */
const SHOWN = 20;

export interface Choice {
  readonly id: string;
  readonly text: string;
}

interface ChoiceFieldsProps<Entry> {
  readonly chosen: readonly string[];
  readonly onChange: (ids: readonly string[]) => void;
  /** What a chosen one is called, by its number, and which it is. */
  readonly name: (number: number) => string;
  readonly show: (id: string) => ComponentChildren;
  readonly addText: string;
  /** The list of the API, and its order. */
  readonly path: string;
  readonly sort: string;
  /** What is chosen with an entry of the list; null: it cannot be. */
  readonly choiceOf: (entry: Entry) => Choice | null;
  readonly onChoose?: (choice: Choice) => void;
  readonly faultOf: (index: number) => Words | undefined;
  /** Told when the places of the others changed. */
  readonly onMoved: () => void;
}

export function ChoiceFields<Entry>(props: ChoiceFieldsProps<Entry>) {
  const { chosen, onChange, name, show, addText, onChoose, faultOf, onMoved } = props;
  const [isOpen, setOpen] = useState(false);
  function choose(choice: Choice): void {
    setOpen(false);
    onChoose?.(choice);
    onChange([...chosen, choice.id]);
  }
  return (
    <FormRows
      rows={chosen}
      onChange={onChange}
      rowKey={(id) => id}
      name={name}
      show={show}
      onMoved={onMoved}
      foot={
        isOpen ? (
          <Found {...props} onChoose={choose} />
        ) : (
          chosen.length < MOST_CHOSEN && (
            <div>
              <Button icon="plus" onClick={() => setOpen(true)}>
                {addText}
              </Button>
            </div>
          )
        )
      }
    >
      {(_id, index) => {
        const fault = faultOf(index);
        return (
          fault && (
            <p class="fault" role="alert">
              <Worded text={fault} />
            </p>
          )
        );
      }}
    </FormRows>
  );
}

interface FoundProps<Entry> extends ChoiceFieldsProps<Entry> {
  readonly onChoose: (choice: Choice) => void;
}

function Found<Entry>({ chosen, path, sort, choiceOf, onChoose }: FoundProps<Entry>) {
  const t = flagTexts.value;
  const [search, setSearch] = useState('');
  const [text, setText] = useTypedSearch(search, setSearch);
  const query = { limit: READ, sort, search: search || undefined };
  const read = useRead<Page<Entry>>({ path, query });
  return (
    <div class="stack">
      <search>
        <Field
          type="search"
          label={texts.value.words.search}
          value={text}
          onInput={setText}
          maxLength={200}
          autoFocus
        />
      </search>
      <Loaded read={read} lines={2}>
        {({ data, nextCursor }) => {
          const choices = choicesIn(data.map(choiceOf), chosen);
          const goesOn = nextCursor !== undefined || choices.length > SHOWN;
          return (
            <>
              <ul class="row">
                {choices.slice(0, SHOWN).map((choice) => (
                  <li key={choice.id}>
                    <Button icon="plus" onClick={() => onChoose(choice)}>
                      <bdi>{choice.text}</bdi>
                    </Button>
                  </li>
                ))}
              </ul>
              <p class="hint" role="status">
                {goesOn ? t.foundMore : choices.length === 0 && texts.value.words.noneFound}
              </p>
            </>
          );
        }}
      </Loaded>
    </div>
  );
}

/** Those that can be chosen and are not yet, each once. */
function choicesIn(all: readonly (Choice | null)[], chosen: readonly string[]): Choice[] {
  const open = all.filter((each) => each !== null).filter(({ id }) => !chosen.includes(id));
  return [...new Map(open.map((each) => [each.id, each])).values()];
}
