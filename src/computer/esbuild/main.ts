import { startProgram } from '#computer/process/start.ts';
import { esbuild } from './esbuild.ts';

startProgram(esbuild);
