import * as z from 'zod/mini';
import type { ExecutionEnvironment } from '#environment/contract.ts';
import { projectPackages } from './project-packages.ts';

const Manifest = z.object({ scripts: z.optional(z.record(z.string(), z.unknown())) });

/** Scripts that start a server for viewing, best first. */
const SCRIPTS = ['dev', 'start', 'serve', 'preview'] as const;
const LOCK_FILES = [
	['pnpm-lock.yaml', 'pnpm'],
	['yarn.lock', 'yarn']
] as const;

/** Command that starts the server of a project. */
export interface StartScript {
	/** Command line, e.g. `npm run dev`. */
	command: string;
	/** Content of the script in the project's `package.json`. */
	script: string;
	/** Command that installs missing packages. */
	install: string;
}

/** Finds the script that starts the project's server; `null` if there is none. */
export async function findStartScript(environment: ExecutionEnvironment): Promise<StartScript | null> {
	if (!(await environment.fileExists('package.json'))) return null;
	const manifest = z.safeParse(Manifest, parseJson(await environment.readFile('package.json')));
	const scripts = manifest.data?.scripts ?? {};
	for (const name of SCRIPTS) {
		const script = Object.hasOwn(scripts, name) ? scripts[name] : undefined;
		if (typeof script !== 'string' || script.trim() === '') continue;
		const tool = await packageManager(environment);
		return { command: `${tool} run ${name}`, script, install: `${tool} install` };
	}
	return null;
}

/** Returns true if the project names packages that are not in `node_modules`. */
export async function lacksPackages(environment: ExecutionEnvironment): Promise<boolean> {
	for (const name of await projectPackages(environment))
		if (!(await environment.fileExists(`node_modules/${name}/package.json`))) return true;
	return false;
}

async function packageManager(environment: ExecutionEnvironment): Promise<'npm' | 'pnpm' | 'yarn'> {
	for (const [file, tool] of LOCK_FILES) if (await environment.fileExists(file)) return tool;
	return 'npm';
}

function parseJson(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		// Incomplete while it is being edited: the next change tries again.
		return null;
	}
}
