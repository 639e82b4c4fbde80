import './classic-worker.ts';
import { startProgram } from '#computer/process/start.ts';
import { prepare, python } from './python.ts';

startProgram(python, prepare);
