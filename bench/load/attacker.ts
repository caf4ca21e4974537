import { setTimeout as wait } from 'node:timers/promises';
import { attacks, prepareAttacker } from './attacks.ts';

const pauseMs = 100;

/** Repeats an attack for ever; that it is refused, or that its connections are cut, is no reason to stop. */
async function repeat(attack: () => Promise<void>): Promise<never> {
  for (;;) {
    await attack().catch(() => undefined);
    await wait(pauseMs);
  }
}

const attacker = await prepareAttacker(Number(process.argv[2]));
process.stdout.write('ready\n');
await Promise.all([...attacks.values()].map((attack) => repeat(() => attack(attacker))));
