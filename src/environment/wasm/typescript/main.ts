import { startProgram } from '../process/start.ts';
import { tsc } from './tsc.ts';

startProgram(tsc);
