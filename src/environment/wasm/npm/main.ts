import { startProgram } from '../process/start.ts';
import { npm } from './program.ts';

startProgram(npm);
