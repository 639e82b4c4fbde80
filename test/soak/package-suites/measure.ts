import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import type { SandboxPage } from '../../computer/sandbox-page/open.ts';
import type { PackageSuite } from './suites.ts';

export interface SuiteResult {
	name: string;
	version: string;
	/** Number of assertions that pass on the machine's own Node. */
	native: number;
	/** Of these, the number that pass in the sandbox. */
	sandbox: number;
	/** Files in which fewer pass than natively, with the start of their output. */
	short: { file: string; native: number; sandbox: number; output: string }[];
}

const LIMIT_MS = 120_000;

/**
 * Runs the tests of one package natively and in the sandbox.
 * @param modules the `node_modules` that contains it; the sandbox has a copy at `/workspace/node_modules`
 */
export async function measureSuite(suite: PackageSuite, modules: string, page: SandboxPage): Promise<SuiteResult> {
	const directory = path.join(modules, suite.name);
	const { version } = (await import(path.join(directory, 'package.json'), { with: { type: 'json' } })).default as {
		version: string;
	};
	const result: SuiteResult = { name: suite.name, version, native: 0, sandbox: 0, short: [] };
	for (const file of filesBelow(directory).filter((name) => suite.files.test(name))) {
		const args =
			suite.runner === 'mocha' ? ['../mocha/bin/_mocha', '-u', suite.interface ?? 'bdd', '-R', 'tap', file] : [file];
		const ended = spawnSync(process.execPath, args, { cwd: directory, encoding: 'utf8', timeout: LIMIT_MS, input: '' });
		const native = passed(ended.stdout, ended.status);
		const command = `cd /workspace/node_modules/${suite.name} && node ${args.join(' ')} < /dev/null`;
		const ours = await page.exec(command, LIMIT_MS);
		const sandbox = Math.min(native, passed(ours.stdout, ours.exitCode));
		result.native += native;
		result.sandbox += sandbox;
		if (sandbox < native) {
			const failures = ours.stdout
				.split(/^(?=not ok)/m)
				.slice(1)
				.join('');
			const output = `${failures || ours.stdout.slice(-1500)}\n${ours.stderr}`.slice(0, 3000);
			result.short.push({ file, native, sandbox, output });
		}
	}
	return result;
}

/** Number of TAP lines that say `ok`; a script without any passes or fails as a whole. */
function passed(stdout: string, exitCode: number | null): number {
	if (!/^(not )?ok\b/m.test(stdout)) return exitCode === 0 ? 1 : 0;
	return stdout.match(/^ok\b(?!.*# SKIP)/gim)?.length ?? 0;
}

function filesBelow(directory: string): string[] {
	const visit = (below: string): string[] =>
		readdirSync(path.join(directory, below), { withFileTypes: true }).flatMap((entry) => {
			const name = path.posix.join(below, entry.name);
			if (entry.name === 'node_modules') return [];
			return entry.isDirectory() ? visit(name) : [name];
		});
	return visit('').sort();
}

/** Formats a Markdown table. */
export function suiteTable(results: SuiteResult[]): string {
	const sum = (field: 'native' | 'sandbox') => results.reduce((total, result) => total + result[field], 0);
	const row = (name: string, native: number, sandbox: number) =>
		`| ${name} | ${native} | ${sandbox} | ${native === 0 ? '–' : `${(Math.floor((1000 * sandbox) / native) / 10).toFixed(1)} %`} |`;
	return [
		'| package | pass natively | of these pass here | |',
		'| --- | ---: | ---: | ---: |',
		...results.map(({ name, version, native, sandbox }) => row(`${name} ${version}`, native, sandbox)),
		row('**together**', sum('native'), sum('sandbox'))
	].join('\n');
}
