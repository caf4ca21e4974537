import { createRestOwner } from './rest-owner.ts';

/** Commits per second, round by round. */
export interface CommitRates {
  readonly sequential: readonly number[];
  readonly parallel: readonly number[];
}

const rounds = 5;
const sequentialCommits = 200;
const parallelOwners = 50;
const commitsPerOwner = 20;
const msPerSecond = 1_000;

async function perSecond(commits: number, work: () => Promise<unknown>): Promise<number> {
  const startMs = performance.now();
  await work();
  return (commits * msPerSecond) / (performance.now() - startMs);
}

async function repeat(times: number, work: () => Promise<void>): Promise<void> {
  for (let time = 0; time < times; time += 1) await work();
}

/** Measures sequential commits by one owner, and concurrent ones by 50 owners. */
export async function measureCommitRates(url: string): Promise<CommitRates> {
  const owners = await Promise.all(
    Array.from({ length: parallelOwners }, () => createRestOwner(url)),
  );
  const [first] = owners;
  if (first === undefined) throw new Error('There is no owner');
  await repeat(sequentialCommits, () => first.commitNote());
  const sequential: number[] = [];
  const parallel: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    sequential.push(
      await perSecond(sequentialCommits, () => repeat(sequentialCommits, () => first.commitNote())),
    );
    const all = owners.map(
      ({ commitNote }) =>
        () =>
          repeat(commitsPerOwner, () => commitNote()),
    );
    const commits = parallelOwners * commitsPerOwner;
    parallel.push(await perSecond(commits, () => Promise.all(all.map((work) => work()))));
  }
  return { sequential, parallel };
}
