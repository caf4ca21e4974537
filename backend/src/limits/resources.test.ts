import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { createManualClock } from '../../tests/support/fakes/manual-clock.ts';
import type { Client } from './client.ts';
import { defaultLimits } from './defaults.ts';
import { LimitError } from './limit-error.ts';
import { createResources } from './resources.ts';

const alice = { uid: 'alice', address: '192.0.2.1' };

function setUp() {
  const clock = createManualClock();
  let elapsed = 0;
  const resources = createResources({ clock, elapsedMs: () => elapsed });
  const spend = (ms: number) => () => void (elapsed += ms);
  return { clock, resources, spend };
}

describe('the resources', () => {
  it('charge all rates of an attempt or none', () => {
    const { resources } = setUp();
    const mail = (key: string) =>
      resources.attempt([
        { rate: 'resetMails', key },
        { rate: 'resetMailsOfAddress', key: '192.0.2.1' },
      ]);
    for (let at = 0; at < 5; at++) mail('a');
    for (let at = 0; at < 50; at++) expect(() => mail('a')).toThrow(LimitError);
    for (let at = 0; at < 25; at++) mail(`other ${at}`);
    expect(() => mail('b')).toThrow(LimitError);
  });

  it('neither open nor lock a rate when the wall clock is set', () => {
    const { clock, resources } = setUp();
    const mail = () => resources.attempt([{ rate: 'resetMails', key: 'a' }]);
    for (let at = 0; at < 5; at++) mail();
    for (const stepMs of [-3_600_000, 7_200_000]) {
      clock.set(clock.now() + stepMs);
      expect(mail).toThrow(LimitError);
    }
    clock.advance(600_000);
    mail();
    expect(mail).toThrow(LimitError);
  });

  it('let an address hash in turn with others, whatever number of passwords it tries', async () => {
    const { resources } = setUp();
    const done: string[] = [];
    const gates: (() => void)[] = [];
    const hash = (address: string) =>
      resources.hashing(address, async () => {
        await new Promise<void>((resolve) => gates.push(resolve));
        done.push(address);
      });
    const all = [...Array.from({ length: 90 }, () => hash('attacker')), hash('owner')];
    while (!done.includes('owner')) {
      gates.shift()?.();
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(done.length).toBeLessThan(6);
    const more = Array.from({ length: 20 }, () => hash('attacker'));
    const settled = Promise.allSettled([...all, ...more]);
    while (resources.level('passwords').total() > 0) {
      for (const open of gates.splice(0)) open();
      await new Promise((resolve) => setImmediate(resolve));
    }
    const refused = (await settled).filter(({ status }) => status === 'rejected');
    expect([refused.length > 0, refused.length + done.length]).toEqual([true, 111]);
  });

  it('refuse work of who has used too much of the thread, until there is time again', () => {
    const { clock, resources, spend } = setUp();
    resources.work.measure(alice, spend(12_000));
    expect(() => resources.work.check(alice)).toThrow(LimitError);
    resources.work.check({ ...alice, uid: 'bob' });
    clock.advance(16_100);
    resources.work.check(alice);
  });

  it('give an address without a sign-in less of the thread, and programs on this machine all of it', () => {
    const { clock, resources, spend } = setUp();
    const stranger = { uid: null, address: '192.0.2.1' };
    const local = { uid: null, address: '127.0.0.1' };
    resources.work.measure(stranger, spend(2_100));
    resources.work.measure(local, spend(60_000));
    expect(() => resources.work.check(stranger)).toThrow(LimitError);
    resources.work.check(local);
    resources.work.check(alice);
    clock.advance(5_100);
    resources.work.check(stranger);
  });

  it('let who has used half of the thread’s time rest until what is used leaks out', () => {
    const { clock, resources, spend } = setUp();
    resources.work.measure(alice, spend(5_000));
    expect(resources.work.restMs(alice, 10)).toBe(0);
    resources.work.measure(alice, spend(10));
    expect(resources.work.restMs(alice, 10)).toBe(80);
    clock.advance(80);
    expect(resources.work.restMs(alice, 10)).toBe(0);
    expect(resources.work.restMs({ ...alice, uid: 'bob' }, 10)).toBe(0);
  });

  it('charge work within other work once', () => {
    const { resources, spend } = setUp();
    resources.work.measure(alice, () => {
      spend(10)();
      resources.work.measure(alice, spend(20));
      resources.work.runShare(alice, {}, spend(30));
    });
    expect(resources.work.usedMs(alice)).toBe(60);
  });

  it('give the listeners of one client a share of each commit', () => {
    const { resources, spend } = setUp();
    const commit = {};
    resources.work.runShare(alice, commit, spend(150));
    resources.work.runShare(alice, commit, spend(150));
    expect(() => resources.work.runShare(alice, commit, spend(1))).toThrow(LimitError);
    resources.work.runShare({ ...alice, uid: 'bob' }, commit, spend(1));
    resources.work.runShare(alice, {}, spend(1));
  });

  it('let one large body go on in each turn of the event loop, and clients in turn', async () => {
    const { resources } = setUp();
    const order: string[] = [];
    const wait = async (client: Client, name: string) => {
      await resources.bodyTurn(client);
      order.push(name);
    };
    const bodies = ['a1', 'a2', 'a3'].map((name) => wait(alice, name));
    bodies.push(wait({ ...alice, uid: 'bob' }, 'b1'));
    setImmediate(() => order.push('turn'));
    await Promise.all(bodies);
    expect(order.indexOf('b1')).toBeLessThan(order.indexOf('a3'));
    expect(order.indexOf('turn')).toBeLessThan(order.indexOf('a2'));
  });

  it('charge a large body to its sender, although the time that it takes is not measured', async () => {
    const { resources } = setUp();
    for (let turns = 0; turns < 4; turns++) await resources.bodyTurn(alice);
    expect(resources.work.usedMs(alice)).toBe(1);
  });

  it('cut a transfer that drips, and none that moves', () => {
    const { clock, resources } = setUp();
    const cut: string[] = [];
    const begin = (name: string) =>
      resources.transfers.begin(() => cut.push(name), { bytes: 1000, inMs: 15_000 });
    const [drip, slow] = [begin('drip'), begin('slow')];
    for (let second = 0; second < 120; second++) {
      clock.advance(1000);
      drip.moved(1);
      slow.moved(100);
    }
    expect(cut).toEqual(['drip']);
  });

  it('are listed in the README', async () => {
    const readme = await readFile(new URL('../../README.md', import.meta.url), 'utf8');
    const missing = Object.keys(defaultLimits).filter((name) => !readme.includes(`\`${name}\``));
    expect(missing).toEqual([]);
  });
});
