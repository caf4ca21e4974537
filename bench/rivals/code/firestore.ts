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

/** The part of the SDK that a journal in Firestore's cache needs, without Auth. */
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
