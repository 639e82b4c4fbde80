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

// While a spare shell waits for its command, it does work that the first command would otherwise wait for.
setTimeout(() => isBusy || void parse('a=$(b "$c"); if [ -n "$a" ]; then d | e > f; else g && h; fi'));
