import { z } from 'zod';
import { aliasShape } from './alias.ts';

const settings = z.object({
	globals: z.boolean(),
	setupFiles: z.array(z.string()),
	environment: z.string(),
	testTimeoutMs: z.number(),
	namePattern: z.string().nullable(),
	snapshots: z.enum(['new', 'all', 'none']),
	aliases: z.array(aliasShape),
	directories: z.array(z.string()),
	tsconfigPaths: z.boolean(),
	define: z.record(z.string(), z.unknown())
});

/** Job of a separate process: run one test file, or read the project's configuration. */
export const jobShape = z.discriminatedUnion('kind', [
	z.object({
		kind: z.literal('file'),
		tool: z.enum(['vitest', 'jest']),
		root: z.string(),
		file: z.string(),
		/** Path of the result file. */
		result: z.string(),
		settings
	}),
	z.object({
		kind: z.literal('config'),
		tool: z.enum(['vitest', 'jest']),
		root: z.string(),
		file: z.string(),
		result: z.string()
	})
]);

export type Job = z.infer<typeof jobShape>;
export type FileJob = Extract<Job, { kind: 'file' }>;

/** Environment variable that contains a process's job. */
export const JOB_VARIABLE = 'SANDGLASS_TEST_JOB';
