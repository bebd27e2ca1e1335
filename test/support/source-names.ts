/** The names of source files by their syntax trees: what constants are, what functions answer, and what is given to their parameters. */
import { parseAst } from 'rolldown/parseAst';
import { readSources } from './source-files.ts';

export interface Node {
  readonly type: string;
  readonly [part: string]: unknown;
}

/** Where something stands: its file, and what is around it, the innermost last. */
export interface Place {
  readonly file: string;
  readonly around: readonly Node[];
}

/** What a name may be; `key`: it is that property of the node. */
export interface Value extends Place {
  readonly node: Node;
  readonly key?: string;
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string';

/** The nodes in a part of another one: one, a list, or none. */
export const within = (part: unknown): Node[] => [part].flat().filter(isNode);

export function walk(
  node: Node,
  around: readonly Node[],
  visit: (node: Node, around: readonly Node[]) => void,
): void {
  visit(node, around);
  const inner = [...around, node];
  for (const part of Object.values(node)) for (const each of within(part)) walk(each, inner, visit);
}

/** Without what only types say. */
export function unwrapped(node: Node): Node {
  return /^TS(?:As|Satisfies|NonNull)Expression$|^ParenthesizedExpression$/.test(node.type)
    ? unwrapped(node.expression as Node)
    : node;
}

/** The value of a property that an object writes down. */
export function writtenAs(object: Node, key: string): Node | undefined {
  const found = within(object.properties).find(
    (each) => each.type === 'Property' && nameOf(each.key) === key,
  );
  return found?.value as Node | undefined;
}

/** Of an identifier, a text, or the last part of `a.b`. */
function nameOf(node: unknown): string | undefined {
  if (!isNode(node)) return undefined;
  if (node.type === 'JSXMemberExpression') return nameOf(node.property);
  const name = node.name ?? node.value;
  return typeof name === 'string' ? name : undefined;
}

const isFunction = ({ type }: Node): boolean => /Function/.test(type);

/** How a function takes a name: at which place, and as which property of what is given there. */
function parameterOf(
  node: Node,
  name: string,
): { readonly index: number; readonly key?: string } | undefined {
  for (const [index, written] of within(node.params).entries()) {
    const parameter = written.type === 'AssignmentPattern' ? (written.left as Node) : written;
    if (parameter.type === 'Identifier' && parameter.name === name) return { index };
    const key = keyIn(parameter, name);
    if (key !== undefined) return { index, key };
  }
  return undefined;
}

/** The property that a pattern takes out under a name. */
function keyIn(pattern: Node, name: string): string | undefined {
  if (pattern.type !== 'ObjectPattern') return undefined;
  const found = within(pattern.properties).find(({ value }) => {
    const bare = isNode(value) && value.type === 'AssignmentPattern' ? value.left : value;
    return nameOf(bare) === name;
  });
  return found && nameOf(found.key);
}

/** What a function answers: what stands behind its arrow, and behind each return of its own. */
function answersIn(node: Node): Node[] {
  const body = node.body as Node;
  if (body.type !== 'BlockStatement') return [body];
  const found: Node[] = [];
  walk(body, [], ({ type, argument }, around) => {
    if (type === 'ReturnStatement' && isNode(argument) && !around.some(isFunction)) found.push(argument);
  });
  return found;
}

export function readNames(folder: string) {
  const programs = new Map(
    readSources(folder)
      .filter(({ path }) => !/\/texts[-/.]/.test(path))
      .map(({ path, text }) => [path, parseAst(text, { lang: 'tsx' }) as unknown as Node] as const),
  );
  /** By `file name`: the file that another one's name comes from. */
  const sources = new Map<string, string>();
  const constants = new Map<string, Value[]>();
  const functions = new Map<string, Value[]>();
  const named = new Map<Node, string>();
  const uses: (Value & { readonly name: string })[] = [];
  const put = (map: Map<string, Value[]>, { file }: Place, name: string | undefined, value: Value): void => {
    if (name === undefined) return;
    const all = map.get(`${file} ${name}`);
    if (all === undefined) map.set(`${file} ${name}`, [value]);
    else all.push(value);
  };
  for (const [file, program] of programs) {
    walk(program, [], (node, around) => {
      const place = { file, around };
      const { id, init } = node;
      if (node.type === 'ImportDeclaration') {
        const target = new URL(String(nameOf(node.source)), `file:///${file}`).pathname.slice(1);
        for (const { local } of within(node.specifiers)) sources.set(`${file} ${nameOf(local)}`, target);
      }
      const made =
        node.type === 'FunctionDeclaration' ? node : isNode(init) && isFunction(init) ? init : undefined;
      if (made !== undefined && nameOf(id) !== undefined) {
        named.set(made, `${file} ${nameOf(id)}`);
        put(functions, place, nameOf(id), { node: made, ...place });
      } else if (node.type === 'VariableDeclarator' && isNode(init) && isNode(id)) {
        put(constants, place, nameOf(id), { node: init, ...place });
        for (const { value, key } of within(id.properties))
          put(constants, place, nameOf(value), { node: init, key: nameOf(key), ...place });
      }
      const called =
        node.type === 'CallExpression' ? node.callee : node.type === 'JSXOpeningElement' ? node.name : null;
      const name = nameOf(called);
      if (name !== undefined) uses.push({ name, node, ...place });
    });
  }
  /** What a name of a file means, by the file that makes it. */
  const origin = (file: string, name: string) => `${sources.get(`${file} ${name}`) ?? file} ${name}`;
  const usesOf = new Map<string, Value[]>();
  for (const { name, ...use } of uses) {
    const [file = '', own] = origin(use.file, name).split(' ');
    // A part that is loaded later is named by its module: whichever file makes such a component.
    const isMember =
      use.node.type === 'JSXOpeningElement' && (use.node.name as Node).type === 'JSXMemberExpression';
    const makers = isMember ? [...programs.keys()].filter((each) => functions.has(`${each} ${own}`)) : [file];
    for (const maker of makers) put(usesOf, { file: maker, around: [] }, own, use);
  }

  /** What is given to a parameter, wherever its function is called or drawn. */
  function givenTo(owner: Node, name: string): Value[] {
    const parameter = parameterOf(owner, name);
    if (parameter === undefined) return [];
    const { index, key } = parameter;
    return (usesOf.get(named.get(owner) ?? '') ?? []).flatMap(({ node, file, around }) => {
      const given = node.type === 'JSXOpeningElement' ? node : within(node.arguments)[index];
      return given === undefined ? [] : [{ node: given, file, around, ...(key !== undefined && { key }) }];
    });
  }

  return {
    programs,
    /** What a name may be at a place: given to a parameter, or a constant of the same file or of the one that it comes from. */
    valuesOf(name: string, { file, around }: Place): readonly Value[] {
      const owner = around.findLast((each) => isFunction(each) && parameterOf(each, name) !== undefined);
      if (owner !== undefined) return givenTo(owner, name);
      const found = constants.get(origin(file, name)) ?? [];
      // Of the same name in several functions, those that are seen from here.
      const near = found.filter((each) =>
        each.around.every((outer) => !isFunction(outer) || around.includes(outer)),
      );
      return near;
    },
    /** What a call of a function of these files may answer. */
    answersOf({ callee }: Node, { file }: Place): readonly Value[] {
      return (functions.get(origin(file, nameOf(callee) ?? '')) ?? []).flatMap(({ node, ...place }) =>
        answersIn(node).map((each) => ({ node: each, file: place.file, around: [...place.around, node] })),
      );
    },
  };
}
