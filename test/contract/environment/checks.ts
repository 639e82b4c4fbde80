import type { ExecutionEnvironment, LoadEntry } from '#environment/contract.ts';
import { isEnvironmentError } from '#environment/errors.ts';

/** Parts of the contract an implementation may be unable to offer in the place a test runs; each with its reason. */
export type Capability =
	| 'symlinks'
	| 'modes'
	| 'node'
	| 'terminal'
	| 'background'
	| 'unread input'
	| 'overlay'
	| 'pdf'
	| 'permissions'
	| 'speed';

/** A test that is skipped, with its reason, where the capability is missing. */
export type ItWith = (capability: Capability, title: string, test: () => Promise<void>, limitMs?: number) => void;

/** The environment of the test that runs. */
export type EnvironmentOf = () => ExecutionEnvironment;

/** The error code a promise rejects with, or what happened instead. */
export async function codeOf(promise: Promise<unknown>): Promise<string> {
	try {
		await promise;
		return 'resolved';
	} catch (error) {
		return isEnvironmentError(error) ? error.code : `not an EnvironmentError: ${String(error)}`;
	}
}

export async function* entriesOf(files: Record<string, string>): AsyncGenerator<LoadEntry> {
	for (const [path, text] of Object.entries(files))
		yield { path, mode: 0o100644, bytes: new TextEncoder().encode(text) };
}

/** Resolves once the condition holds; the test's own time limit ends a wait in vain. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
	while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 15));
}
