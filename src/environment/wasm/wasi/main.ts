import { startProgram } from '../process/start.ts';
import { runCommand } from './run-command.ts';

startProgram(runCommand);
