import '../build/shims/globals.ts';
import { startProgram } from '../process/start.ts';
import { runGit } from './run-git.ts';

startProgram(runGit);
