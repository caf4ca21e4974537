import { describe, expect, it } from 'vitest';
import * as v from 'valibot';
import { relayMessageSchema } from './relay-message.ts';

const isMessage = (message: unknown): boolean => v.safeParse(relayMessageSchema, message).success;

describe('a message between tabs', () => {
  it.each(['idle', 'syncing', 'offline', 'problem'])('tells of the phase %s', (phase) => {
    expect(isMessage({ type: 'status', status: { phase, problem: null } })).toBe(true);
    expect(isMessage({ type: 'status', status: { phase, problem: 'full' } })).toBe(true);
  });

  it.each(['local-write', 'focus', 'online', 'bell', 'manual'])('pokes for %s', (reason) => {
    expect(isMessage({ type: 'poke', reason })).toBe(true);
  });

  it('asks for the status', () => {
    expect(isMessage({ type: 'ask' })).toBe(true);
  });

  it.each([
    null,
    'ask',
    {},
    { type: 'tell' },
    { type: 'poke' },
    { type: 'poke', reason: 'boredom' },
    { type: 'status' },
    { type: 'status', status: { phase: 'asleep', problem: null } },
    { type: 'status', status: { phase: 'idle' } },
    { type: 'status', status: { phase: 'idle', problem: 7 } },
  ])('of another version may be unknown: %j', (message) => {
    expect(isMessage(message)).toBe(false);
  });
});
