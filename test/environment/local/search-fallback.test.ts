import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe } from 'vitest';
import { LocalExecutionEnvironment } from '#environment/local/environment.ts';
import { describeSearch } from '#test/contract/environment/search.ts';

describe('LocalExecutionEnvironment without ripgrep', () => {
	let directory: string;
	let environment: LocalExecutionEnvironment;
	beforeEach(async () => {
		directory = await mkdtemp(join(tmpdir(), 'sandglass-search-'));
		environment = new LocalExecutionEnvironment({ workingDirectory: directory, ripgrep: null });
	});
	afterEach(async () => {
		await environment.cleanup();
		await rm(directory, { recursive: true, force: true });
	});

	describeSearch(() => environment);
});
