/** One line for whoever waits. */
export function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
