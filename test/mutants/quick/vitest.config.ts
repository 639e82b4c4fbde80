import { existsSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { z } from 'zod';

/** Set by `measure.mjs`. */
const folder = process.env['MUTANTS_FOLDER'] ?? '';
const plan = z
	.object({ tests: z.array(z.string()), leftOut: z.array(z.string()), sources: z.record(z.string(), z.string()) })
	.parse(JSON.parse(readFileSync(path.join(folder, 'plan.json'), 'utf8')));

/** Durations of each file's tests when they last ran without a mutant, in ms; written by `runner.ts`. */
const durations = new Map(
	readLines(path.join(path.dirname(folder), 'durations.jsonl')).map((line) => {
		const { file, durationMs } = z.object({ file: z.string(), durationMs: z.number() }).parse(JSON.parse(line));
		return [file, durationMs];
	})
);

function readLines(file: string): string[] {
	return existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : [];
}

/**
 * Quick files first: mutants they notice need not be tried by the others, whose tests reach nearly everything. The time
 * of a file that has never run is estimated by its size.
 */
class QuickestFirst extends BaseSequencer {
	override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
		const cost = ({ moduleId }: TestSpecification) =>
			durations.get(path.relative(process.cwd(), moduleId)) ?? statSync(moduleId).size / 10;
		return files.toSorted((a, b) => cost(a) - cost(b));
	}
}

export default defineConfig({
	plugins: [
		{
			name: 'mutated-sources',
			enforce: 'pre',
			/** Returns a source with all its mutants in it, of which `runner.ts` switches one on at a time. */
			load(id) {
				const file = plan.sources[id];
				return file === undefined ? undefined : readFileSync(path.join(folder, file), 'utf8');
			}
		}
	],
	test: {
		name: 'node',
		include: plan.tests,
		exclude: ['**/*.browser.test.ts', '**/node_modules/**', ...plan.leftOut],
		sequence: { sequencer: QuickestFirst },
		runner: path.join(import.meta.dirname, 'runner.ts'),
		maxWorkers: Number(process.env['MUTANTS_CONCURRENCY'] ?? 1),
		reporters: ['dot'],
		silent: true,
		dangerouslyIgnoreUnhandledErrors: true,
		testTimeout: 60_000,
		hookTimeout: 60_000
	}
});
