import { expect, it } from 'vitest';
import { RemoteError, type RemoteDocument } from '../../replication/ports.ts';
import { waitForErasure, type Witness } from './erasure.ts';

const pet: RemoteDocument = {
  collection: 'pets',
  id: 'rex',
  petId: null,
  ownerId: 'alice',
  fields: { name: 'Rex' },
  edits: {},
  deleted: false,
  seq: 1,
  updatedAtMs: null,
  newerSchema: false,
};
const picture = { objectName: 'pets/rex/images/profile.png', byteLength: 1, md5: '' };

/** @param left the number of checks that still find the pet. */
const witness = (left: number, stat: Witness['files']['stat']): Witness => {
  let looks = 0;
  return {
    documents: {
      pull: async (collection) => (collection === 'pets' && looks++ < left ? [pet] : []),
    },
    files: { stat },
  };
};

const wait = (limitMs: number) => ({ objectName: picture.objectName, limitMs, lookMs: 0 });
const refused = (code: string) => async () => {
  throw new RemoteError('permanent', code);
};
const stillThere = 'The account was deleted, and its data is still there.';

it('waits until neither documents nor the file are there', async () => {
  const waiting = waitForErasure(
    witness(1, async () => null),
    wait(60_000),
  );
  await expect(waiting).resolves.toBeUndefined();
});

it('takes it for erased when the rules know no owner of the file, or the server no token', async () => {
  for (const code of ['http-403', 'http-401', 'unauthenticated']) {
    const waiting = waitForErasure(witness(0, refused(code)), wait(0));
    await expect(waiting).resolves.toBeUndefined();
  }
});

it('says so when a document or a file stays', async () => {
  await expect(
    waitForErasure(
      witness(1, async () => null),
      wait(0),
    ),
  ).rejects.toThrow(stillThere);
  await expect(
    waitForErasure(
      witness(0, async () => picture),
      wait(0),
    ),
  ).rejects.toThrow(stillThere);
});

it('is not sure where the server does not answer', async () => {
  const broken = waitForErasure(witness(0, refused('http-500')), wait(0));
  await expect(broken).rejects.toMatchObject({ code: 'http-500' });
});
