import type { ExecutionEnvironment, LoadEntry } from '#environment/contract.ts';
import { isEnvironmentError } from '#environment/errors.ts';

/** Parts of the contract that an implementation may be unable to support in the place where a test runs. */
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

/** A test that is skipped, with its reason, if the capability is missing. */
export type ItWith = (capability: Capability, title: string, test: () => Promise<void>, limitMs?: number) => void;

/** Returns the environment of the current test. */
export type EnvironmentOf = () => ExecutionEnvironment;

/** Error code that a promise rejects with, or what happened instead. */
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

/** Resolves once the condition holds; otherwise the test's time limit ends the wait. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
	while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 15));
}
