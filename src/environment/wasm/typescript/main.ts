import { basename } from '../paths.ts';
import { startProgram } from '../process/start.ts';
import { diagnose } from './diagnose.ts';
import { tsc } from './tsc.ts';

startProgram((context) => (basename(context.argv[0] ?? '') === 'tsc' ? tsc(context) : diagnose(context)));
