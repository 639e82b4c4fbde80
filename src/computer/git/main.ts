import '#computer/build/shims/globals.ts';
import { startProgram } from '#computer/process/start.ts';
import { runGit } from './run-git.ts';

startProgram(async (context) => {
	const code = await runGit(context);
	context.leavesNothing?.();
	return code;
});
