import { setTimeout as wait } from 'node:timers/promises';
import { attacks, prepareAttacker } from './attacks.ts';

/** `PAWPALS_LOAD_ATTACKS=S7,S8 npm run bench -- load` runs only these attacks. */
const chosen = process.env['PAWPALS_LOAD_ATTACKS']?.split(',');
const running = [...attacks].filter(([name]) => chosen?.includes(name.slice(0, 2)) ?? true);

const pauseMs = 100;
const turns = new Map(running.map(([name]) => [name, 0]));

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
await Promise.all(running.map(([name, attack]) => repeat(name, () => attack(attacker))));
