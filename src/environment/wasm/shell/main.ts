import '../build/shims/globals.ts';
import { startProgram } from '../process/start.ts';
import { runShell } from './run-shell.ts';

startProgram(runShell);
