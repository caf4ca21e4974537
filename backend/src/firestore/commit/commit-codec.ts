import type { JsonObject } from '../../json.ts';
import type { CommitResult, WriteResult } from './committer.ts';
import { microsToText } from '../values/timestamp.ts';
import { encodeValue } from '../values/value-codec.ts';

export const encodeCommitResult = (result: CommitResult): JsonObject => ({
  writeResults: result.writes.map(encodeWriteResult),
  commitTime: microsToText(result.version),
});

const encodeWriteResult = ({ updateVersion, transformResults }: WriteResult): JsonObject => ({
  ...(updateVersion === null ? {} : { updateTime: microsToText(updateVersion) }),
  ...(transformResults.length === 0 ? {} : { transformResults: transformResults.map(encodeValue) }),
});
