import { startProgram } from '#computer/process/start.ts';
import { parse } from './parser/parse.ts';
import { runShell } from './run-shell.ts';

let isBusy = false;

startProgram(async (context) => {
	isBusy = true;
	try {
		return await runShell(context);
	} finally {
		isBusy = false;
	}
});

// A spare shell waits for its command: meanwhile it does what the first command would wait for.
setTimeout(() => isBusy || void parse('a=$(b "$c"); if [ -n "$a" ]; then d | e > f; else g && h; fi'));
