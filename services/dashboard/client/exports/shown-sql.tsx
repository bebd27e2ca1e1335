/** The SQL of a query with its parameters, as the API compiles it once somebody wants to see it; nothing runs. */
import type { Request } from '../api/answer.ts';
import { useRead } from '../api/use-read.ts';
import type { CompiledDataset } from '../api/wire.ts';
import { Copy } from '../design/copy.tsx';
import { Loaded } from '../states/loaded.tsx';
import { texts } from '../texts/texts.ts';

/** Of a request object with several datasets, else of its only one. */
type Answer = { readonly queries: readonly CompiledDataset[] } | Omit<CompiledDataset, 'parameter'>;
type Asked = { readonly parameters: readonly (string | { readonly name: string })[] };

/** `request`: one of `POST /v1/query`; each of its objects is compiled by itself. */
export function ShownSql({ request }: { request: Request }) {
  const asked = [request.body].flat() as Asked[];
  return (
    <>
      {asked.map((body, index) => (
        <Compiled key={index} body={body} query={request.query} />
      ))}
    </>
  );
}

function Compiled({ body, query }: { body: Asked; query: Request['query'] }) {
  const read = useRead<Answer>({ method: 'POST', path: '/v1/query/compile', query, body });
  const compared = texts.value.words.sqlCompared;
  return (
    <Loaded read={read} lines={4}>
      {(answer) =>
        queriesOf(answer, body).map(({ parameter, compare, ...own }) => (
          <section key={parameter} class="stack">
            <h3>
              <code>{parameter}</code>
            </h3>
            <Query name={parameter} {...own} />
            {compare && (
              <>
                <p class="soft">{compared}</p>
                <Query name={`${parameter}, ${compared}`} {...compare} />
              </>
            )}
          </section>
        ))
      }
    </Loaded>
  );
}

function queriesOf(answer: Answer, { parameters: [only = ''] }: Asked): readonly CompiledDataset[] {
  if ('queries' in answer) return answer.queries;
  return [{ ...answer, parameter: typeof only === 'string' ? only : only.name }];
}

function Query({ name, sql, params }: Pick<CompiledDataset, 'sql' | 'params'> & { name: string }) {
  return (
    <>
      <Copy text={sql} label={`SQL: ${name}`} />
      <Copy text={JSON.stringify(params, null, 1)} label={`${texts.value.words.parameters}: ${name}`} />
    </>
  );
}
