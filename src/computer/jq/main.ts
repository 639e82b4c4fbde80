import { startProgram } from '#computer/process/start.ts';
import { jq } from './jq.ts';

startProgram(jq);
