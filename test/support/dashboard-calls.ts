/**
 * Which operations of the API the source of the dashboard asks for, read from its syntax trees: every object with the `path` and the
 * `method` of a request. Names are followed to constants, to what functions answer, and to what callers and elements give to parameters.
 */
import { type Node, type Place, readNames, unwrapped, walk, within, writtenAs } from './source-names.ts';

/** Stands for a part of a path that only a running page knows. */
const ANY = ':';
/** How far names lead on. */
const DEEPEST = 14;
/** What a request has; an object with more is none. */
const REQUEST = new Set(['method', 'path', 'query', 'body', 'ifMatch', 'isStreamed']);

/** A request that the source writes down. */
export interface Asked {
  readonly file: string;
  /** As `GET /v1/goals/:`; several where a part of it has several values. */
  readonly operations: readonly string[];
}

/** Every request in the files below a folder of the package. */
export function dashboardCalls(folder = 'services/dashboard/client'): Asked[] {
  const names = readNames(folder);
  const { textsOf, propertyOf } = follow(names);
  return [...names.programs].flatMap(([file, program]) => {
    const asked: Asked[] = [];
    walk(program, [], (node, around) => {
      if (!isRequest(node)) return;
      const place = { file, around };
      const methods = propertyOf(node, 'method', place);
      const paths = textsOf(writtenAs(node, 'path'), place).filter((path) => path.startsWith('/'));
      const operations = (methods.length > 0 ? methods : ['GET']).flatMap((method) =>
        paths.map((path) => `${method} ${path.replace(/\?.*$/, '')}`),
      );
      asked.push({ file, operations: [...new Set(operations)] });
    });
    return asked;
  });
}

function isRequest(node: Node): boolean {
  if (node.type !== 'ObjectExpression') return false;
  const path = writtenAs(node, 'path');
  if (path === undefined || /Function/.test(path.type)) return false;
  return within(node.properties).every(
    (each) => each.type !== 'Property' || REQUEST.has(String(nameIn(each.key))),
  );
}

const nameIn = (node: unknown) => (node as Node | undefined)?.name ?? (node as Node | undefined)?.value;

function follow(names: ReturnType<typeof readNames>) {
  /** What an expression may be, as far as the source tells. */
  function textsOf(written: Node | undefined, place: Place, depth = 0): readonly string[] {
    if (written === undefined || depth > DEEPEST) return [];
    const node = unwrapped(written);
    const further = (part: unknown, where = place) => textsOf(part as Node | undefined, where, depth + 1);
    const told = (part: unknown) => orAny(further(part));
    switch (node.type) {
      case 'Literal':
        return typeof node.value === 'string' ? [node.value] : [];
      case 'TemplateLiteral': {
        const holes = within(node.expressions).map(told);
        return within(node.quasis).reduce<readonly string[]>(
          (before, quasi, index) => {
            const { cooked } = quasi.value as { cooked: string };
            const hole = index === 0 ? [''] : (holes[index - 1] ?? []);
            return before.flatMap((one) => hole.map((each) => one + each + cooked));
          },
          [''],
        );
      }
      case 'BinaryExpression':
        return told(node.left).flatMap((left) => told(node.right).map((right) => left + right));
      case 'ConditionalExpression':
        return [...further(node.consequent), ...further(node.alternate)];
      case 'CallExpression': {
        // It adds a query string alone.
        if (nameIn(node.callee) === 'addressOf') return further(within(node.arguments)[0]);
        return names.answersOf(node, place).flatMap(({ node: each, ...where }) => further(each, where));
      }
      case 'Identifier':
        return unique(
          names
            .valuesOf(String(node.name), place)
            .flatMap(({ node: each, key, ...where }) =>
              key === undefined ? further(each, where) : propertyOf(each, key, where, depth + 1),
            ),
        );
      default:
        return [];
    }
  }

  /** What a property of an expression may be. */
  function propertyOf(written: Node, key: string, place: Place, depth = 0): readonly string[] {
    if (depth > DEEPEST) return [];
    const node = unwrapped(written);
    const further = (part: unknown, where = place) => propertyOf(part as Node, key, where, depth + 1);
    switch (node.type) {
      case 'ObjectExpression': {
        const own = textsOf(writtenAs(node, key), place, depth + 1);
        const spread = within(node.properties).filter(({ type }) => type === 'SpreadElement');
        return own.length > 0 ? own : spread.flatMap(({ argument }) => further(argument));
      }
      case 'JSXOpeningElement':
        return within(node.attributes).flatMap((each) => {
          if (each.type === 'JSXSpreadAttribute') return further(each.argument);
          if (nameIn(each.name) !== key) return [];
          const value = each.value as Node | null;
          return textsOf((value?.expression ?? value ?? undefined) as Node | undefined, place, depth + 1);
        });
      case 'ConditionalExpression':
        return [...further(node.consequent), ...further(node.alternate)];
      case 'LogicalExpression':
        return [...further(node.left), ...further(node.right)];
      case 'MemberExpression':
        // Of a table of constants, whichever entry it is.
        return names
          .valuesOf(String(nameIn(node.object)), place)
          .map(({ node: table, ...where }) => ({ table: unwrapped(table), where }))
          .flatMap(({ table, where }) =>
            within(table.properties).flatMap(({ value }) => further(value, where)),
          );
      case 'CallExpression':
        return names.answersOf(node, place).flatMap(({ node: each, ...where }) => further(each, where));
      case 'Identifier':
        return names
          .valuesOf(String(node.name), place)
          .filter(({ key: inner }) => inner === undefined)
          .flatMap(({ node: each, ...where }) => further(each, where));
      default:
        return [];
    }
  }
  return { textsOf, propertyOf };
}

const unique = (texts: readonly string[]): readonly string[] => [...new Set(texts)];
const orAny = (texts: readonly string[]): readonly string[] => (texts.length > 0 ? texts : [ANY]);
