import '#computer/build/shims/globals.ts';
import { startProgram } from '#computer/process/start.ts';
import { testRunner } from './test-runner.ts';

startProgram(testRunner);
