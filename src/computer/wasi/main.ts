import { startProgram } from '#computer/process/start.ts';
import { runCommand } from './run-command.ts';

startProgram(runCommand);
