import '../build/shims/globals.ts';
import { startProgram } from '../process/start.ts';
import { testRunner } from './test-runner.ts';

startProgram(testRunner);
