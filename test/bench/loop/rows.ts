import { existsSync } from 'node:fs';
import path from 'node:path';
import { installedVersion } from '../native-program.ts';
import { missing, percentile, row, type Row } from '../row.ts';
import { startLoopBench, type LoopBench, type LoopMeasure, type Subject } from './measure.ts';
import type { TaskName } from './tasks.ts';

const RUNS = 7;
const TURNS = 201;
const PI = '@mariozechner/pi-agent-core';

interface Part {
	task: TaskName;
	title: string;
	unit: string;
	/** Divisor of the measured CPU time in ms. */
	perUnit: number;
	bound: number;
	subjects: { name: string; title: string; bounded: boolean }[];
	wires: string[];
}

const wires = ['anthropic', 'openai', 'gemini'];
const loop = { name: 'loop', title: 'runAgentLoop', bounded: true };
const session = { name: 'session', title: 'Session', bounded: true };
const sdk = { name: 'sdk', title: 'the official SDK alone', bounded: false };

const parts: Part[] = [
	{
		task: 'turns',
		title: '200 tool turns',
		unit: 'ms CPU a turn',
		perUnit: TURNS,
		bound: 1.5,
		subjects: [loop, session, sdk],
		wires
	},
	{ task: 'deltas', title: '5,000 text deltas', unit: 'ms CPU', perUnit: 1, bound: 2, subjects: [loop, sdk], wires },
	{
		task: 'argument',
		title: '80 KB argument in 4-character deltas',
		unit: 'ms CPU',
		perUnit: 1,
		bound: 2,
		subjects: [loop, sdk],
		wires: ['anthropic', 'openai']
	},
	{
		task: 'argument',
		// Gemini sends arguments whole.
		title: '80 KB argument in one piece',
		unit: 'ms CPU',
		perUnit: 1,
		bound: 2,
		subjects: [loop, sdk],
		wires: ['gemini']
	}
];

/**
 * CPU time of the loop compared with the minimal loop, over each provider's wire.
 * @param built directory with the bundles
 * @param peers the directory with the peers' packages, or why there is none
 */
export async function loopRows(built: string, peers: string | Error): Promise<Row[]> {
	const bench = await startLoopBench(built);
	const rows: Row[] = [];
	try {
		for (const part of parts)
			for (const wire of part.wires) rows.push(...(await wireRows(bench, `${built}/loop-child.js`, part, wire, peers)));
	} finally {
		bench.close();
	}
	return rows;
}

async function wireRows(
	bench: LoopBench,
	child: string,
	part: Part,
	wire: string,
	peers: string | Error
): Promise<Row[]> {
	const { task, unit, perUnit } = part;
	const pi = piSubject(part, peers);
	const subjects = [
		{ script: child, name: 'bare', runs: RUNS },
		...part.subjects.map(({ name }) => ({ script: child, name, runs: RUNS })),
		...(pi instanceof Error ? [] : [pi])
	];
	const [bare = new Error('Nothing was measured.'), ...others] = await bench.measure(wire, task, subjects);
	const name = `${part.title}, ${wire}`;
	if (bare instanceof Error) return [missing(name, unit, bare)];
	const against = { name: `bare fetch loop, Node ${process.versions.node}`, value: bare.cpuMs / perUnit };
	const rows = part.subjects.flatMap((subject, index) => {
		const title = `${name}: ${subject.title}`;
		const measured = others[index];
		if (!measured || measured instanceof Error) return [missing(title, unit, measured)];
		const bound = subject.bounded ? { bound: part.bound } : {};
		const own = row({ name: title, unit, ours: measured.cpuMs / perUnit, against, ...bound });
		return task === 'turns' && subject === session ? [own, ...latencyRows(wire, bare, measured)] : [own];
	});
	const peer = pi instanceof Error ? pi : others[part.subjects.length];
	const version = typeof peers === 'string' ? ` ${installedVersion(peers, PI)}` : '';
	const title = `${name}: ${PI.split('/')[1]}${version}`;
	if (!peer || peer instanceof Error) return [...rows, missing(title, unit, peer)];
	const note = pi instanceof Error || pi.runs > 1 ? 'a peer' : 'a peer, one run';
	return [...rows, row({ name: title, unit, ours: peer.cpuMs / perUnit, against, note })];
}

function piSubject({ task }: Part, peers: string | Error): Subject | Error {
	if (typeof peers !== 'string') return peers;
	const script = path.join(peers, 'pi.mjs');
	if (!existsSync(script)) return new Error(`${script} is missing.`);
	// It parses the whole argument again for each delta: one run takes long enough.
	return { script, name: 'pi', runs: task === 'argument' ? 1 : RUNS };
}

/** Elapsed time of a round compared with the bare loop, and how long an event takes to reach its consumer. */
function latencyRows(wire: string, bare: LoopMeasure, measured: LoopMeasure): Row[] {
	const added = Math.max(0, (measured.wallMs - bare.wallMs) / TURNS);
	return [
		row({
			name: `time a round adds, ${wire}: Session`,
			unit: 'ms',
			ours: added,
			against: { name: 'limit', value: 5 },
			bound: 1
		}),
		...[0.5, 0.99].map((share) =>
			row({
				name: `emit to consumer p${share * 100}, ${wire}: Session`,
				unit: 'ms',
				ours: percentile(measured.delaysUs, share) / 1_000,
				against: { name: 'limit', value: 1 },
				bound: 1
			})
		)
	];
}
