import '../build/shims/globals.ts';
import { startProgram } from '../process/start.ts';
import { node } from './program.ts';

startProgram(node);
