import { collection, getDocs, type Firestore } from 'firebase/firestore/lite';
import * as v from 'valibot';
import { organizationSchema, type Organization } from '../../schemas/documents/organization.ts';
import type { Clock } from '../ports.ts';
import { withDeadline } from './deadline.ts';
import { toRemoteError } from './remote-errors.ts';

/** Returns all organizations from the server; unreadable ones are left out. @throws {RemoteError} */
export async function readOrganizations(
  firestore: Firestore,
  clock: Pick<Clock, 'after'>,
): Promise<readonly Organization[]> {
  try {
    const { docs } = await withDeadline(clock, getDocs(collection(firestore, 'organizations')));
    return docs.flatMap((document) => {
      const parsed = v.safeParse(organizationSchema, document.data());
      return parsed.success ? [{ ...parsed.output, id: document.id }] : [];
    });
  } catch (error) {
    throw toRemoteError(error);
  }
}
