import { basename } from '#computer/abi/paths.ts';
import type { ProcessContext } from '#computer/process/program.ts';
import { runCommand } from './command.ts';
import { runPlaywright } from './playwright/run-playwright.ts';
import { runJob } from './run-job.ts';
import { JOB_VARIABLE, jobShape } from './job.ts';

/** The programs `vitest`, `jest` and `playwright`: our own runners in their place. @returns the exit code */
export async function testRunner(context: ProcessContext): Promise<number> {
	if (basename(context.argv[0] ?? '') === 'playwright') return runPlaywright(context);
	const job = context.env[JOB_VARIABLE];
	if (job === undefined) return runCommand(context);
	return runJob(context, jobShape.parse(JSON.parse(job)));
}
