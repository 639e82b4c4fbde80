import { startProgram } from '../process/start.ts';
import { parse } from './ast/parse.ts';
import { runShell } from './run-shell.ts';
import { prepareLibrary } from './tools/library.ts';

let started = false;

startProgram((context) => {
	started = true;
	return runShell(context);
});

// A spare shell waits for its command: meanwhile it does what the first command would wait for.
setTimeout(() => started || void parse('a=$(b "$c"); if [ -n "$a" ]; then d | e > f; else g && h; fi'));
prepareLibrary(() => started);
