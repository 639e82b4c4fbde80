import { basename } from '#computer/abi/paths.ts';
import { startProgram } from '#computer/process/start.ts';
import { diagnose } from './diagnose.ts';
import { tsc } from './tsc.ts';

startProgram((context) => (basename(context.argv[0] ?? '') === 'tsc' ? tsc(context) : diagnose(context)));
