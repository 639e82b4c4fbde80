import type { ProcessContext } from '#computer/process/program.ts';
import { runCommand } from './command.ts';
import { runJob } from './run-job.ts';
import { JOB_VARIABLE, jobShape } from './job.ts';

/** The program behind `vitest` and `jest`: our own runner in their place. @returns the exit code */
export async function testRunner(context: ProcessContext): Promise<number> {
	const job = context.env[JOB_VARIABLE];
	if (job === undefined) return runCommand(context);
	return runJob(context, jobShape.parse(JSON.parse(job)));
}
