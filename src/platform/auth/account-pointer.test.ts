import { describe, expect, it, vi } from 'vitest';
import {
  clearAccountPointer,
  clearSessionPointer,
  readAccountPointer,
  readSessionPointer,
  writeAccountPointer,
} from './account-pointer.ts';

const user = { uid: 'ann', email: 'ann@example.com', displayName: null };

describe('the account pointer', () => {
  it.each([true, false])('is known again, kept signed in or not: %s', (isKept) => {
    writeAccountPointer(user, isKept);
    expect(readAccountPointer()).toEqual(user);
    expect(localStorage).toHaveLength(isKept ? 1 : 0);
    clearAccountPointer('ben');
    expect(readAccountPointer()).toEqual(user);
    clearAccountPointer('ann');
    expect(readAccountPointer()).toBeNull();
  });

  it('is replaced before an old one is removed, because other tabs follow each change', () => {
    writeAccountPointer(user, true);
    const seen: unknown[] = [];
    const remove = vi.spyOn(Storage.prototype, 'removeItem').mockImplementation(() => {
      seen.push(readAccountPointer()?.uid);
    });
    writeAccountPointer(user, false);
    writeAccountPointer(user, true);
    expect(seen).toEqual(['ann', 'ann']);
    remove.mockRestore();
  });

  it('of the browser session goes before one that is kept, and is cleared alone', () => {
    const kept = { ...user, uid: 'ben' };
    writeAccountPointer(kept, true);
    writeAccountPointer(user, false);
    expect([readAccountPointer(), readSessionPointer()]).toEqual([user, user]);
    clearSessionPointer();
    expect([readAccountPointer(), readSessionPointer()]).toEqual([kept, null]);
  });

  it.each([
    'null',
    '7',
    '"ann"',
    '{',
    '[]',
    '{}',
    '{"uid":"","email":null,"displayName":null}',
    '{"uid":7,"email":null,"displayName":null}',
    '{"uid":"ann","email":7,"displayName":null}',
    '{"uid":"ann","email":null}',
  ])('is null if %s is stored', (stored) => {
    localStorage.setItem('pawpals:account', stored);
    expect(readAccountPointer()).toBeNull();
  });

  it('is null if the browser forbids all storage', () => {
    const forbidden = () => {
      throw new DOMException('denied', 'SecurityError');
    };
    const storages = [
      vi.spyOn(window, 'localStorage', 'get').mockImplementation(forbidden),
      vi.spyOn(window, 'sessionStorage', 'get').mockImplementation(forbidden),
    ];
    expect(readAccountPointer()).toBeNull();
    for (const storage of storages) storage.mockRestore();
  });

  it('ignores other stored properties', () => {
    localStorage.setItem('pawpals:account', JSON.stringify({ ...user, role: 'admin' }));
    expect(readAccountPointer()).toEqual(user);
  });
});
