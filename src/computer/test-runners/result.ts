import { z } from 'zod';

const failure = z.object({
	name: z.string().default('Error'),
	message: z.string().default(''),
	stack: z.string().default(''),
	diff: z.string().optional()
});

const test = z.object({
	/** Names of the surrounding suites, then its own name. */
	path: z.array(z.string()),
	state: z.enum(['pass', 'fail', 'skip', 'todo']),
	durationMs: z.number(),
	failures: z.array(failure)
});

export const fileResultShape = z.object({
	tests: z.array(test),
	/** Failures outside of a test: the file could not be read, a hook threw. */
	failures: z.array(failure),
	snapshots: z.object({ added: z.number(), updated: z.number(), failed: z.number() })
});

/** Result that a process writes after running one file. */
export type FileResult = z.infer<typeof fileResultShape>;
export type TestOutcome = z.infer<typeof test>;
export type Failure = z.infer<typeof failure>;

export interface FileReport extends FileResult {
	/** Path relative to the project. */
	file: string;
	durationMs: number;
}
