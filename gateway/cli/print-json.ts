/** Prints the outcome of a command for machines, in the shape of the API's answers. */

export function printJson(print: (text: string) => void, data: unknown): void {
  print(`${JSON.stringify({ success: true, data })}\n`);
}
