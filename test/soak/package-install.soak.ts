import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { buildLibrary, CONSUMER, npm, packLibrary, runReadmeExample, tryCommand } from '#test/package/library.ts';
import { registryProblem } from './registry.ts';

const manifest = z.object({
	exports: z.record(z.string(), z.unknown()),
	devDependencies: z.record(z.string(), z.string())
});
const noRegistry = registryProblem();

it.skipIf(noRegistry)(
	`the packed library installs from the registry into an empty project, and works there${noRegistry}`,
	async () => {
		const project = mkdtempSync(path.join(tmpdir(), 'sandglass-install-'));
		onTestFinished(() => rmSync(project, { recursive: true, force: true }));
		buildLibrary();
		const tarball = packLibrary(project, 'everything');
		writeFileSync(path.join(project, 'package.json'), '{ "type": "module", "private": true }\n');
		npm(project, 'install', '--no-audit', '--no-fund', tarball);
		npm(project, 'ls', '--all'); // fails if a dependency is missing or does not match

		expect(await runReadmeExample(project, 'One test.')).toEqual({ code: 0, output: 'One test.', errors: '' });

		const installed = path.join(project, 'node_modules/sandglass/package.json');
		const { exports, devDependencies } = manifest.parse(JSON.parse(readFileSync(installed, 'utf8')));
		const entries = Object.keys(exports).map((entry) => entry.replace('.', 'sandglass'));
		expect(entries).toHaveLength(8);
		await tryCommand(project);
		writeFileSync(path.join(project, 'all.js'), entries.map((entry) => `import '${entry}';`).join('\n'));
		execFileSync(process.execPath, ['all.js'], { cwd: project, stdio: 'pipe' });

		npm(
			project,
			'install',
			'--no-audit',
			'--no-fund',
			...['typescript', '@types/node'].map((name) => `${name}@${devDependencies[name]}`)
		);
		writeFileSync(path.join(project, 'consumer.ts'), CONSUMER);
		const options = [
			'--module',
			'nodenext',
			'--target',
			'es2022',
			'--strict',
			'--noEmit',
			'--skipLibCheck',
			'--types',
			'node'
		];
		const compiler = path.join(project, 'node_modules/typescript/bin/tsc');
		const said = spawnSync(process.execPath, [compiler, ...options, 'consumer.ts'], { cwd: project, encoding: 'utf8' });
		expect([said.status, said.stdout]).toEqual([0, '']);
	}
);
