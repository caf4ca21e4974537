import { setTimeout as wait } from 'node:timers/promises';
import { attacks, prepareAttacker } from './attacks.ts';

const pauseMs = 100;
const turns = new Map([...attacks.keys()].map((name) => [name, 0]));

/** Repeats an attack for ever, also when it is refused or its connections are closed. */
async function repeat(name: string, attack: () => Promise<void>): Promise<never> {
  for (;;) {
    await attack().catch(() => undefined);
    turns.set(name, (turns.get(name) ?? 0) + 1);
    process.stdout.write(`${[...turns].map(([each, count]) => `${count} × ${each}`).join('; ')}\n`);
    await wait(pauseMs);
  }
}

const attacker = await prepareAttacker(Number(process.argv[2]));
process.stdout.write('ready\n');
await Promise.all([...attacks].map(([name, attack]) => repeat(name, () => attack(attacker))));
