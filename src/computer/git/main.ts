import '#computer/build/shims/globals.ts';
import { LocalTime } from '#computer/local-time/zoned-date.ts';
import { startProgram } from '#computer/process/start.ts';
import { loadSha1 } from '#environment/sha1.ts';
import { runGit } from './run-git.ts';

/** Shared by the commands that a worker runs one after the other, each with its own `TZ`. */
const time = new LocalTime(globalThis);

startProgram(async (context) => {
	time.follow(context.env['TZ']);
	await loadSha1();
	const code = await runGit(context);
	context.leavesNothing?.();
	return code;
});
