import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, rmSync } from 'node:fs';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import type { SandboxPage } from '#test/computer/sandbox-page/open.ts';
import { nativeEnvironment } from '../native-environment.ts';
import { checkout } from './checkout.ts';
import { installNode, installPython, NATIVE_PYTHON } from './installation.ts';
import type { Project } from './project.ts';
import { compareVerdicts, parseVerdicts, type Comparison } from './verdicts.ts';

/** Every step has a limit, on both sides. */
const INSTALL_MS = 600_000;
const STEP_MS = 300_000;
/** Time after the limit at which an unresponsive page is abandoned. */
const GRACE_MS = 30_000;
const HERE = '/workspace/project';

interface Ended {
	stdout: string;
	stderr: string;
	/** `null` if the limit ended it. */
	code: number | null;
	milliseconds: number;
}

export interface ProjectResult extends Comparison {
	repository: string;
	commit: string;
	/** True if the sandbox's own npm installed the packages; otherwise they are a copy of the native ones. */
	installed: boolean;
	/** npm's output if it failed. */
	installation: string;
	/** Steps whose exit code differs from the native one: name, native, here. */
	steps: { name: string; native: number | null; here: number | null }[];
	/** End of their output here. */
	stepOutput: string;
	/** True if the tests ended by themselves. */
	ended: boolean;
	/** Duration of the tests. */
	milliseconds: { native: number; here: number };
	/** End of the tests' output, if verdicts are missing. */
	output: string;
}

/** Installs, builds and tests one project natively and in the sandbox. */
export async function measureProject(project: Project, page: SandboxPage): Promise<ProjectResult> {
	const directory = checkout(project);
	const install = project.python ? installPython(project.python) : installNode(project, directory);
	if (install.prepare !== undefined) await succeed(project, directory, install.prepare);
	await page.load(directory, HERE);
	const [here] = await Promise.all([
		runHere(page, install.here, INSTALL_MS),
		succeed(project, directory, install.native)
	]);
	const installed = here.code === 0;
	const packages = project.packages ?? 'node_modules';
	if (!installed && existsSync(path.join(directory, packages))) {
		await runHere(page, `rm -rf ${packages}`, STEP_MS);
		await page.load(path.join(directory, packages), `${HERE}/${packages}`);
	}
	const steps = [];
	let stepOutput = '';
	for (const { name, command } of project.steps) {
		const there = (await runNatively(directory, command, STEP_MS)).code;
		const ended = await runHere(page, command, STEP_MS);
		if (ended.code === there) continue;
		steps.push({ name, native: there, here: ended.code });
		stepOutput += lastOf(ended);
	}
	const expected = await runNatively(directory, project.tests, STEP_MS);
	const found = await runHere(page, project.tests, STEP_MS);
	const comparison = compareVerdicts(
		// Names of tests may contain the directory.
		parseVerdicts(expected.stdout.replaceAll(directory, HERE)),
		parseVerdicts(found.stdout)
	);
	await page.remove(HERE);
	rmSync(directory, { recursive: true, force: true });
	rmSync(path.join(directory, NATIVE_PYTHON), { recursive: true, force: true });
	return {
		repository: project.repository,
		commit: project.commit,
		installed,
		installation: installed ? '' : `${here.stdout}\n${here.stderr}`.slice(-1500),
		steps,
		stepOutput,
		ended: found.code !== null,
		milliseconds: { native: expected.milliseconds, here: found.milliseconds },
		output: comparison.missing.length + comparison.red.length > 0 || comparison.native === 0 ? lastOf(found) : '',
		...comparison
	};
}

const lastOf = ({ stdout, stderr }: Ended): string => `${stdout.slice(-1500)}\n${stderr.slice(-1500)}`;

/** Runs a part of the native installation. @throws Error if it fails: there is nothing to compare with */
async function succeed(project: Project, directory: string, command: string): Promise<void> {
	const { code, stderr } = await runNatively(directory, command, INSTALL_MS);
	if (code === 0) return;
	const why = code === null ? `the time limit ended ${command}` : stderr;
	throw new Error(`${project.repository} cannot be installed natively: ${why}`);
}

/**
 * `SANDGLASS_NATIVE_NODE` is the path of another Node than the one running this: one of the sandbox's version.
 * `SANDGLASS_NATIVE_PYTHON` is the path of a Python.
 */
async function runNatively(cwd: string, command: string, limitMs: number): Promise<Ended> {
	const started = performance.now();
	const { SANDGLASS_NATIVE_NODE: node = process.execPath, SANDGLASS_NATIVE_PYTHON: python } = process.env;
	const named = [python, node].filter((program) => program !== undefined);
	const folders = [path.join(cwd, NATIVE_PYTHON, 'bin'), ...named.map((program) => path.dirname(program))];
	const child = spawn('timeout', ['--kill-after=5', String(limitMs / 1000), 'bash', '-c', command], {
		cwd,
		stdio: ['ignore', 'pipe', 'pipe'],
		env: nativeEnvironment([...folders, process.env['PATH'] ?? ''].join(':'))
	});
	const [stdout, stderr, [status]] = await Promise.all([
		text(child.stdout),
		text(child.stderr),
		once(child, 'close') as Promise<[number | null]>
	]);
	return { stdout, stderr, code: status === 124 ? null : status, milliseconds: millisecondsSince(started) };
}

const millisecondsSince = (started: number) => Math.round(performance.now() - started);

async function runHere(page: SandboxPage, command: string, limitMs: number): Promise<Ended> {
	const started = performance.now();
	let timer: NodeJS.Timeout | undefined;
	const hangs = new Promise<never>((_, reject) => {
		const silent = () => reject(new Error(`The page does not answer: ${command}`));
		timer = setTimeout(silent, limitMs + GRACE_MS);
	});
	try {
		const running = page.exec(`cd ${HERE} && ${command} < /dev/null`, limitMs);
		const { stdout, stderr, exitCode, timedOut } = await Promise.race([running, hangs]);
		return { stdout, stderr, code: timedOut ? null : exitCode, milliseconds: millisecondsSince(started) };
	} finally {
		clearTimeout(timer);
	}
}
