import { startProgram } from '../process/start.ts';
import { esbuild } from './esbuild.ts';

startProgram(esbuild);
