import { startProgram } from '../process/start.ts';
import { packageManager } from './program.ts';

startProgram(packageManager);
