import { randomUUID } from 'node:crypto';
import { rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { platform } from 'node:process';
import type { Effects, ExecResult, FileEffect, Trial, TrialMerge } from '../../contract.ts';
import { EnvironmentError } from '../../errors.ts';
import { toEnvironmentError } from '../../node-errors.ts';
import { Command, type CommandOptions } from '../command.ts';
import type { Launch } from '../launch.ts';
import type { PathRules } from '../paths.ts';
import { contentOf, findChanges, stateOf, type TrialChanges } from './changes.ts';
import type { EffectScope } from './layers.ts';
import { mergeChanges } from './merge.ts';
import { observe, type Observation } from './observe.ts';
import { OverlaySpace } from './space.ts';

/** Phrases of programs that were refused by a read-only part of a trial or by the boundary of an overlay. */
const REFUSALS = /Read-only file system|\bEROFS\b|cross-device link|\bEXDEV\b/;
const NOTHING_SEEN: Observation = { servers: [], processes: [], hasMissedNetwork: false };

type TrialOptions = Omit<CommandOptions, 'input' | 'beforeEnd'>;

export interface TrialPlan {
	/** The bubblewrap program. */
	bubblewrap: string;
	/** Shell and its arguments. */
	words: readonly string[];
	cwd: string;
	env: Record<string, string>;
	network: boolean;
	/** Real paths whose files the trial may change in its overlay. */
	directories: readonly string[];
	scope: EffectScope;
	rules: PathRules;
	/** Runs the work when no other file change is in progress, and notifies listeners of its changes. */
	change<T>(work: () => Promise<T>): Promise<T>;
}

/** A command that ran in an overlay, until its changes are applied or discarded. */
class LocalTrial implements Trial {
	#disposed: Promise<void> | undefined;

	constructor(
		readonly result: ExecResult,
		readonly effects: Effects,
		private readonly changes: TrialChanges,
		private readonly startedNs: bigint,
		private readonly plan: TrialPlan,
		private readonly space: OverlaySpace
	) {}

	async read(path: string, side: 'before' | 'after'): Promise<Uint8Array | null> {
		this.#requireOpen();
		const place = this.space.locate(path);
		const at = side === 'after' && place ? join(place.layer.merged, place.below) : path;
		try {
			const state = await stateOf(at);
			return state?.kind === 'file' || state?.kind === 'symlink'
				? new Uint8Array(await contentOf(at, state.kind))
				: null;
		} catch (error) {
			throw toEnvironmentError(error, path);
		}
	}

	async apply(): Promise<TrialMerge> {
		this.#requireOpen();
		const { rules } = this.plan;
		const context = { space: this.space, rules, startedNs: this.startedNs };
		const merge = await this.plan.change(() => mergeChanges(this.changes, context));
		await this.discard();
		return merge;
	}

	discard(): Promise<void> {
		this.#disposed ??= this.space.dispose();
		return this.#disposed;
	}

	#requireOpen(): void {
		if (this.#disposed) throw new EnvironmentError('EINVAL', 'This trial has been applied or discarded.');
	}
}

/** Runs a command on trial until it ends. @throws EnvironmentError `EUNAVAILABLE` if no overlay is available */
export async function runTrial(plan: TrialPlan, options: TrialOptions): Promise<Trial> {
	const directories = await existing(plan.directories);
	const space = await OverlaySpace.open(directories);
	try {
		const startedNs = await nextTick();
		const wrapped = space.wrap(plan.bubblewrap, plan.words, plan);
		const { result, seen } = await runSupervised({ ...wrapped, cwd: '/', env: plan.env }, options, plan.network);
		const changes = await findChanges(space.layers, plan.scope);
		const effects: Effects = {
			files: changes.files.map(({ path, kind }): FileEffect => ({ path, kind })),
			hosts: [],
			servers: seen.servers,
			signals: [],
			leftRunning: result.timedOut ? [] : seen.processes,
			unnamed: seen.hasMissedNetwork || REFUSALS.test(result.stdout) || REFUSALS.test(result.stderr)
		};
		return new LocalTrial(result, effects, changes, startedNs, plan, space);
	} catch (error) {
		await space.dispose();
		throw toEnvironmentError(error);
	}
}

/** Checks whether the kernel lets this user overlay these directories, by running a command. */
export async function canRunTrials(bubblewrap: string, roots: readonly string[]): Promise<boolean> {
	if (platform !== 'linux') return false;
	try {
		const space = await OverlaySpace.open(await existing(roots));
		try {
			const wrapped = space.wrap(bubblewrap, ['/bin/sh', '-c', 'echo ran'], { network: false, cwd: '/' });
			const { result } = await runSupervised({ ...wrapped, cwd: '/', env: {} }, { timeoutMs: 10_000 }, false);
			return result.stdout === 'ran\n';
		} finally {
			await space.dispose();
		}
	} catch {
		// No user namespaces, no overlays in them, or no program to enter them.
		return false;
	}
}

/** Real paths of those that are directories. */
async function existing(paths: readonly string[]): Promise<string[]> {
	const found = await Promise.all(
		paths.map(async (path) => ((await stat(path).catch(() => undefined))?.isDirectory() ? [path] : []))
	);
	return found.flat();
}

async function runSupervised(
	launch: Launch,
	{ stdin = '', ...options }: TrialOptions,
	network: boolean
): Promise<{ result: ExecResult; seen: Observation }> {
	let seen = NOTHING_SEEN;
	const look = async (): Promise<void> => {
		seen = await observe(running.pid, !network);
	};
	const running = await Command.start(launch, {
		...options,
		input: stdin.length > 0 ? 'open' : 'none',
		beforeEnd: look
	});
	const { supervisor } = running;
	supervisor?.on('error', () => undefined);
	// Processes that the command left running end with its supervisor, so they are inspected first.
	supervisor?.once('data', () => void look().finally(() => supervisor.end('\n')));
	await running.write(stdin).catch(() => undefined);
	await running.closeInput();
	return { result: await running.exited, seen };
}

/** Returns a change time that separates earlier changes from later ones: later ones have it or exceed it. */
async function nextTick(directory = '/var/tmp'): Promise<bigint> {
	const marker = join(directory, `.sandglass-tick-${randomUUID()}`);
	const touch = async (): Promise<bigint> => {
		await writeFile(marker, '');
		return (await stat(marker, { bigint: true })).ctimeNs;
	};
	try {
		const first = await touch();
		for (;;) {
			const now = await touch();
			if (now > first) return now;
			await new Promise((resolve) => setTimeout(resolve, 1));
		}
	} finally {
		await rm(marker, { force: true });
	}
}
