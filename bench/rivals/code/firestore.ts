import { initializeApp } from 'firebase/app';
import {
  collection,
  deleteDoc,
  doc,
  initializeFirestore,
  limit,
  onSnapshot,
  orderBy,
  persistentLocalCache,
  persistentMultipleTabManager,
  query,
  setDoc,
  where,
} from 'firebase/firestore';

/** What a journal that is kept in Firestore's cache needs of the SDK, without Auth. */
export const code = [
  initializeApp,
  initializeFirestore,
  persistentLocalCache,
  persistentMultipleTabManager,
  collection,
  doc,
  query,
  where,
  orderBy,
  limit,
  onSnapshot,
  setDoc,
  deleteDoc,
];
