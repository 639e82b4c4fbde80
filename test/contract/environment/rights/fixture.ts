import { expect } from 'vitest';
import type { Effects, ExecutionEnvironment, Rights, Trial } from '#environment/contract.ts';

/** Parts of rights and trials that an implementation may be unable to support where a test runs. */
export type RightsCapability =
	/** `runOnTrial` exists. */
	| 'trial'
	/** `node` is a command. */
	| 'node'
	/** `ln -s` creates links. */
	| 'symlinks'
	/** `ln` creates hard links. */
	| 'hard links'
	/** `chmod` changes metadata stored in a snapshot. */
	| 'modes'
	/** `&`, `nohup` and `setsid` leave processes running. */
	| 'background'
	/** Signals reach processes started by another call. */
	| 'signals'
	/** {@link Effects.hosts} contains the hosts; otherwise {@link Effects.unnamed} is true. */
	| 'named hosts'
	/** {@link Effects.signals} contains the processes; otherwise the signal finds no such process. */
	| 'named signals'
	/** {@link Effects.servers} contains ports of servers written for Node. */
	| 'servers';

export type ItWithRight = (capability: RightsCapability, title: string, test: () => Promise<void>) => void;

/** A listener outside the environment, which counts connections. */
export interface Outside {
	/** A command that connects to it at once, and exits with 0 only if it could. */
	readonly command: string;
	/** Its address in the format of {@link Effects.hosts}. */
	readonly host: string;
	/** Number of connections so far. */
	hits(): number;
	close(): Promise<void>;
}

export interface RightsContext {
	environment(): ExecutionEnvironment;
	openOutside(): Promise<Outside>;
	itWith: ItWithRight;
	lacks: Partial<Record<RightsCapability, string>>;
}

/** Files at the start of every test, relative to the working directory. */
const FIXTURE: Readonly<Record<string, string>> = {
	'a.txt': 'one\ntwo\nthree\n',
	'b.txt': 'b\n',
	'run.sh': '#!/bin/sh\necho ran\n',
	'open/file.txt': 'open\n',
	'closed/file.txt': 'closed\n',
	'deep/er/x.txt': 'x\n',
	'deep/er/y.txt': 'y\n',
	'deep/z.txt': 'z\n'
};

/** Resets the working directory to exactly the fixture. */
export async function prepareFixture(environment: ExecutionEnvironment): Promise<void> {
	for (const { path } of await environment.listDirectory('.', 1)) await environment.remove(path, { recursive: true });
	await environment.load(
		(async function* () {
			for (const [path, text] of Object.entries(FIXTURE)) {
				const mode = path.endsWith('.sh') ? 0o100755 : 0o100644;
				yield { path, mode, bytes: new TextEncoder().encode(text) };
			}
		})()
	);
}

/** Runs a command on trial; every trial of these suites uses this function. */
export async function tried(
	environment: ExecutionEnvironment,
	command: string,
	rights: Rights | undefined,
	options: { timeoutMs?: number; stdin?: string; cwd?: string; env?: Record<string, string> } = {}
): Promise<Trial> {
	if (!environment.runOnTrial) throw new Error('This environment runs nothing on trial.');
	return environment.runOnTrial(command, { timeoutMs: 30_000, ...options, rights });
}

export const NO_EFFECTS: Effects = { files: [], hosts: [], servers: [], signals: [], leftRunning: [], unnamed: false };

/** The files of the effects as `kind path`, relative to the working directory if they are in it. */
export function filesOf(environment: ExecutionEnvironment, effects: Effects): string[] {
	const root = `${environment.workingDirectory()}/`;
	return effects.files.map(({ kind, path }) => `${kind} ${path.startsWith(root) ? path.slice(root.length) : path}`);
}

/** Expects that nothing in the working directory changes during the work. */
export async function expectUnchanged<T>(environment: ExecutionEnvironment, work: () => Promise<T>): Promise<T> {
	const before = await environment.snapshot();
	const value = await work();
	const after = await environment.snapshot();
	expect([...after.entries]).toEqual([...before.entries]);
	return value;
}

export const textOf = (bytes: Uint8Array | null): string | null =>
	bytes === null ? null : new TextDecoder().decode(bytes);
