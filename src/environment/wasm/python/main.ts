import './classic-worker.ts';
import { startProgram } from '../process/start.ts';
import { prepare, python } from './python.ts';

startProgram(python, prepare);
