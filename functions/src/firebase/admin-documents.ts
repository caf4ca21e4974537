import type { Firestore, Query } from 'firebase-admin/firestore';
import type { CleanupDocuments, DocumentQuery } from '../account-cleanup/ports.ts';

/** Accesses hosted Firestore by firebase-admin, which retries transient failures. */
export function createAdminDocuments(firestore: Firestore): CleanupDocuments {
  return {
    async closeSync(uid) {
      await firestore.collection('sync').doc(uid).set({ closed: true }, { merge: true });
    },
    async find(query, limit) {
      const { docs } = await toQuery(firestore, query).limit(limit).select().get();
      return docs.map(({ ref }) => ref.path);
    },
    async delete(paths) {
      const batch = firestore.batch();
      for (const path of paths) batch.delete(firestore.doc(path));
      await batch.commit();
    },
  };
}

function toQuery(firestore: Firestore, { collection, isGroup, equals }: DocumentQuery): Query {
  const all = isGroup ? firestore.collectionGroup(collection) : firestore.collection(collection);
  return equals === undefined ? all : all.where(equals.field, '==', equals.value);
}
