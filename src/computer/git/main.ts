import '#computer/build/shims/globals.ts';
import { LocalTime } from '#computer/local-time/zoned-date.ts';
import { startProgram } from '#computer/process/start.ts';
import { loadSha1 } from '#environment/sha1.ts';
import { runGit } from './run-git.ts';

/** A worker runs one command after the other, each with a `TZ` of its own. */
const time = new LocalTime(globalThis);

startProgram(async (context) => {
	time.follow(context.env['TZ']);
	await loadSha1();
	const code = await runGit(context);
	context.leavesNothing?.();
	return code;
});
