import '#computer/build/shims/globals.ts';
import { startProgram } from '#computer/process/start.ts';
import { node } from './program.ts';

startProgram(node);
