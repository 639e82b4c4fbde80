import type { ExecutionEnvironment } from '#environment/contract.ts';
import type { Channel } from '#environment/remote/channel.ts';
import { RemoteExecutionEnvironment } from '#environment/remote/environment.ts';
import { sameEntry } from '#environment/snapshot-diff.ts';
import { moveTree } from '#environment/tree/move.ts';
import { Random } from '#test/agent/tools/mutations/random.ts';
import { connectPair, type Machine } from './temporary.ts';

/** Kinds of faults during a move, each at a random frame. */
const FAULTS = ['none', 'break', 'kill', 'cancel'] as const;
type Fault = (typeof FAULTS)[number];

interface MoveFaults {
	/** Faulty moves that ended with equal trees. */
	moved: number;
	/** Moves that failed and left the source, and a destination that still existed, unchanged. */
	failed: number;
	byFault: Record<Fault, number>;
	/** Faults that happened before the move had ended. */
	struck: number;
}

interface Sides {
	home: ExecutionEnvironment;
	machine: Machine;
}

/**
 * Moves random trees to a machine and back while connections break, machines die and moves are canceled. After each
 * move the source must be unchanged and the destination must have the same tree, or its previous one if it can still be
 * reached; a further move without a fault must make both sides equal. Otherwise throws with the seed of the case.
 */
export async function playMoveFaults({ home, machine }: Sides, count: number, seed: number): Promise<MoveFaults> {
	const figures: MoveFaults = { moved: 0, failed: 0, byFault: { none: 0, break: 0, kill: 0, cancel: 0 }, struck: 0 };
	for (let index = 0; index < count; index++) {
		const random = new Random(seed + index);
		const fault = random.pick(FAULTS);
		figures.byFault[fault]++;
		try {
			const { isMoved, isStruck } = await playOne({ home, machine }, fault, random);
			if (isMoved) figures.moved++;
			else figures.failed++;
			if (isStruck) figures.struck++;
		} catch (error) {
			throw new Error(`Case ${seed + index} (${fault}) failed: ${String(error)}`, { cause: error });
		}
	}
	return figures;
}

async function playOne(
	{ home, machine }: Sides,
	fault: Fault,
	random: Random
): Promise<{ isMoved: boolean; isStruck: boolean }> {
	const controller = new AbortController();
	const frames = { left: Infinity, strike: () => {} };
	const there = await connect(machine, frames);
	await home.exec(mutation(random));
	await there.exec(mutation(random));
	const [from, to] = random.below(2) === 0 ? [home, there] : [there, home];
	const [source, destination] = [await from.snapshot(), await to.snapshot()];
	let ended: Promise<void> | undefined;
	// Small moves take few frames: most faults should happen early.
	frames.left = fault === 'none' ? Infinity : 1 + random.below(random.pick([4, 12, 60]));
	frames.strike = () => {
		if (fault === 'kill') ended ??= machine.acceptor.close();
		if (fault === 'cancel') controller.abort();
	};
	const isMoved = await moveTree(from, to, { signal: controller.signal }).then(
		() => true,
		() => false
	);
	const isStruck = frames.left <= 0;
	frames.left = Infinity;
	await ended;
	if (fault === 'none' && !isMoved) throw new Error('A move without a fault failed.');
	await there.cleanup();
	const again = await connect(machine, frames);
	const [nowFrom, nowTo] = from === home ? [home, again] : [again, home];
	requireEqual('source', (await nowFrom.snapshot()).entries, source.entries);
	// A machine that died during the move has only what had arrived; another move completes it.
	const isWhole = fault !== 'kill' || isMoved || nowTo === home;
	if (isWhole) requireEqual('destination', (await nowTo.snapshot()).entries, (isMoved ? source : destination).entries);
	await moveTree(nowFrom, nowTo);
	requireEqual('both sides', (await nowTo.snapshot()).entries, source.entries);
	await again.cleanup();
	return { isMoved, isStruck };
}

async function connect(
	machine: Machine,
	frames: { left: number; strike: () => void }
): Promise<RemoteExecutionEnvironment> {
	const open = connectPair(machine);
	const environment = new RemoteExecutionEnvironment({ connect: async () => counted(await open(), frames) });
	await environment.initialize();
	return environment;
}

/** A channel that calls `strike` and breaks, after this side has sent a number of frames. */
function counted(channel: Channel, frames: { left: number; strike: () => void }): Channel {
	return {
		send: (frame) => {
			channel.send(frame);
			if (--frames.left !== 0) return;
			frames.strike();
			channel.close('broken by the test');
		},
		listen: (listener) => channel.listen(listener),
		close: (reason) => channel.close(reason)
	};
}

/** Shell lines that change a tree a little: files, links, directories, and replacing one by another. */
export function mutation(random: Random): string {
	const place = (): string =>
		`${random.pick(['.', 'a', 'a/b', 'c'])}/${random.pick(['one', 'two', 'three', 'a', 'b'])}`;
	const steps = Array.from({ length: 4 + random.below(6) }, () => {
		const at = place();
		const make = `rm -rf ${at}; mkdir -p "$(dirname ${at})" 2> /dev/null`;
		switch (random.below(5)) {
			case 0:
				return `rm -rf ${at}`;
			case 1:
				return `${make} && mkdir -p ${at}`;
			case 2:
				return `${make} && ln -s ${random.pick(['nowhere', 'a', '../c'])} ${at}`;
			case 3:
				return `${make} && echo ${random.below(1_000)} > ${at} && chmod +x ${at}`;
			default:
				return `${make} && head -c ${random.below(200_000)} /dev/zero | tr '\\0' x > ${at}`;
		}
	});
	return steps.join('\n');
}

function requireEqual(
	what: string,
	found: ReadonlyMap<string, { mode: number; blob: string }>,
	wanted: ReadonlyMap<string, { mode: number; blob: string }>
): void {
	for (const path of new Set([...found.keys(), ...wanted.keys()]))
		if (!sameEntry(found.get(path), wanted.get(path))) throw new Error(`The ${what} differ at ${path}.`);
}
