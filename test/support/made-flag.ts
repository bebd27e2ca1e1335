/** Flags for tests: one of `web_shop` with everything that a flag may have, and the target group that it uses. */
import { expectSuccess } from './answers.ts';
import type { TestServer } from './start-tidegate.ts';

export interface MadeFlag {
  readonly id: string;
  readonly groupId: string;
}

/** A flag with variants, a rule, a target group and a flag that must be on; its texts are `text`, as far as each may be. */
export async function makeFlag(server: TestServer, key: string, text = 'Covers'): Promise<MadeFlag> {
  const made = async (path: string, body: object): Promise<string> => {
    const answer = await server.call('POST', path, { key: server.keys.all, body });
    expectSuccess(answer, 201);
    return answer.body.data.id;
  };
  const cut = (length: number) => [...text].slice(0, length).join('').slice(0, length);
  const common = { name: cut(100), description: cut(1_000) };
  const rule = { type: 'property', operator: 'in', field: cut(100), values: [cut(256)], enabled: true };
  const groupId = await made('/v1/target-groups', { ...common, rules: [rule] });
  await made('/v1/flags', { ...common, key: `${key}-base`, websiteId: 'web_shop', defaultValue: true });
  const id = await made('/v1/flags', {
    ...{ ...common, key, websiteId: 'web_shop', type: 'multivariant', payload: { text: cut(1_000) } },
    rules: [rule],
    variants: [
      { key: cut(50), type: 'string', value: text, weight: 50 },
      { key: 'other', type: 'json', value: [text], weight: 50 },
    ],
    dependencies: [`${key}-base`],
    targetGroupIds: [groupId],
  });
  return { id, groupId };
}
