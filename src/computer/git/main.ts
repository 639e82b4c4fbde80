import '#computer/build/shims/globals.ts';
import { startProgram } from '#computer/process/start.ts';
import { loadSha1 } from '#environment/sha1.ts';
import { runGit } from './run-git.ts';

startProgram(async (context) => {
	await loadSha1();
	const code = await runGit(context);
	context.leavesNothing?.();
	return code;
});
