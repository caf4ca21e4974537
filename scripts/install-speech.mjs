import { ensureSpeechTools } from './machine/speech-tools.mjs';

const problem = ensureSpeechTools();
if (problem !== null) console.error(problem);
process.exit(problem === null ? 0 : 1);
