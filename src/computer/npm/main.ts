import { startProgram } from '#computer/process/start.ts';
import { packageManager } from './program.ts';

startProgram(packageManager);
