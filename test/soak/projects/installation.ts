import { existsSync } from 'node:fs';
import path from 'node:path';
import type { Project, PythonPackages } from './project.ts';

/**
 * Folder of the native Python packages, relative to the project's: next to it, since its contents are copied to the
 * sandbox.
 */
export const NATIVE_PYTHON = '../python';

const WHEELS = '.wheels';

/** Commands that install a project's packages, in its folder. */
export interface Installation {
	/** Runs natively before the project is copied to the sandbox. */
	prepare?: string;
	native: string;
	here: string;
}

/** Uses the same npm command on both sides. */
export function installNode(project: Project, directory: string): Installation {
	const isLocked = existsSync(path.join(directory, 'package-lock.json'));
	const command =
		project.install ??
		`npm ${isLocked ? 'ci' : 'install'} --ignore-scripts --no-audit --no-fund ${project.installFlags ?? ''}`;
	return { native: command, here: command };
}

/**
 * Uses the same wheels on both sides, as pip resolves them natively. The sandbox's pip refuses those whose Python code
 * needs their compiled parts; a program that imports them fails.
 */
export function installPython({ requirements, editable }: PythonPackages): Installation {
	const wanted = requirements.map((requirement) => `'${requirement}'`).join(' ');
	const itself = editable ? ' && pip install --quiet --no-deps --no-build-isolation --editable .' : '';
	const compiled = `for wheel in $(find ${WHEELS} -type f ! -name '*-none-any.whl'); do pip install --no-deps $wheel || true; done`;
	return {
		prepare: `python3 -m venv ${NATIVE_PYTHON} && pip download --quiet --only-binary=:all: --dest ${WHEELS} ${wanted}`,
		native: `pip install --quiet --no-index --find-links ${WHEELS} ${wanted}${itself}`,
		here: `pip install --no-deps ${WHEELS}/*-none-any.whl && ${compiled}${itself.replace('--no-build-isolation ', '')}`
	};
}
