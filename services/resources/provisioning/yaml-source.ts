/** Parses YAML text so that every value still knows its line. */
import { isMap, isScalar, isSeq, LineCounter, type Node, parseDocument, visit } from 'yaml';
import { fieldPath } from '../../shared/errors/zod-details.ts';
import type { FaultPath, ProvisioningFault, UnplacedFault } from './provisioning-fault.ts';

export interface YamlSource {
  /** The plain value of the document; undefined when it is not well-formed. */
  readonly value: unknown;
  /** What is wrong with the YAML itself. */
  readonly faults: readonly ProvisioningFault[];
  /** The fault with its line: that of the value or, if there is none, of the innermost map or list around it. */
  place(fault: UnplacedFault): ProvisioningFault;
}

/** Parses `text`; `file` is its name in faults. */
export function readYamlSource(file: string, text: string): YamlSource {
  const lines = new LineCounter();
  const document = parseDocument(text, {
    lineCounter: lines,
    prettyErrors: false,
    stringKeys: true,
    logLevel: 'silent',
  });
  const malformed = (offset: number, reason: string): ProvisioningFault => ({
    file,
    line: lines.linePos(offset).line,
    path: '',
    message: `the YAML is malformed: ${reason}`,
  });
  // What follows a colon in a reason is part of the text, which may be a secret.
  const faults = [...document.errors, ...document.warnings].map((error) =>
    malformed(error.pos[0], (error.message.split(/:|\n/, 1)[0] ?? '').trim()),
  );
  visit(document, {
    Alias(_, node) {
      if (node.resolve(document)) return;
      faults.push(malformed(node.range?.[0] ?? 0, 'this alias ("*") names no anchor ("&")'));
    },
  });
  let value: unknown;
  if (faults.length === 0) {
    try {
      value = document.toJS();
    } catch {
      faults.push(malformed(0, 'its aliases grow too large'));
    }
  }

  function lineOf(path: FaultPath): number {
    let node: unknown = document.contents;
    let line = startOf(document.contents) ?? 1;
    for (const step of path) {
      if (isMap(node)) {
        const pair = node.items.find((item) => isScalar(item.key) && item.key.value === step);
        if (!pair) break;
        line = startOf(pair.key) ?? line;
        node = pair.value;
      } else if (isSeq(node) && typeof step === 'number') {
        node = node.items[step];
        line = startOf(node) ?? line;
      } else break;
    }
    return line;
  }
  function startOf(node: unknown): number | undefined {
    const range = (node as Node | null | undefined)?.range;
    return range ? lines.linePos(range[0]).line : undefined;
  }

  return {
    value,
    faults,
    place: ({ path, shownPath = path, message, suggestion }) => ({
      file,
      line: lineOf(path),
      path: fieldPath(shownPath),
      message,
      ...(suggestion === undefined ? {} : { suggestion }),
    }),
  };
}
