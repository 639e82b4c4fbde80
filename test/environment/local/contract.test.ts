import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LocalExecutionEnvironment } from '../../../src/environment/local/environment.ts';
import { describeEnvironment } from '../../contract/environment.ts';

const made: string[] = [];

describeEnvironment('LocalExecutionEnvironment', {
	async create() {
		const home = await mkdtemp(join(tmpdir(), 'sandglass-local-'));
		made.push(home);
		const environment = new LocalExecutionEnvironment({ workingDirectory: join(home, 'workspace'), home });
		await environment.initialize();
		return environment;
	},
	async dispose() {
		for (const directory of made.splice(0)) await rm(directory, { recursive: true, force: true });
	}
});
