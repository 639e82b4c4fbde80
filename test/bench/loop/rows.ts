import { existsSync } from 'node:fs';
import path from 'node:path';
import { missing, percentile, row, type Row } from '../row.ts';
import { startLoopBench, type LoopBench, type LoopMeasure } from './measure.ts';
import type { TaskName } from './tasks.ts';

const RUNS = 3;
const TURNS = 201;
const PI = 'pi-agent-core 0.73.1';

interface Part {
	task: TaskName;
	title: string;
	unit: string;
	/** Of the measured CPU time in ms. */
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
		bound: 2,
		subjects: [loop, session, sdk],
		wires
	},
	{ task: 'deltas', title: '5,000 text deltas', unit: 'ms CPU', perUnit: 1, bound: 4, subjects: [loop, sdk], wires },
	{
		task: 'argument',
		title: '80 KB argument in 4-character deltas',
		unit: 'ms CPU',
		perUnit: 1,
		bound: 4,
		subjects: [loop, sdk],
		// Gemini sends arguments whole.
		wires: ['anthropic', 'openai']
	}
];

/**
 * CPU time of the loop beside the least loop there can be, over each provider's wire.
 * @param built where the bundles are
 * @param peers the directory with the peers' packages, or why there is none
 */
export async function loopRows(built: string, peers: string | Error): Promise<Row[]> {
	const bench = await startLoopBench(built);
	const child = `${built}/loop-child.js`;
	const rows: Row[] = [];
	try {
		for (const part of parts) {
			for (const wire of part.wires) rows.push(...(await wireRows(bench, child, part, wire)));
			rows.push(await piRow(bench, child, part, peers));
		}
	} finally {
		bench.close();
	}
	return rows;
}

async function wireRows(bench: LoopBench, child: string, part: Part, wire: string): Promise<Row[]> {
	const rows: Row[] = [];
	const name = `${part.title}, ${wire}`;
	let bare: LoopMeasure;
	try {
		bare = await bench.measure(child, wire, 'bare', part.task, RUNS);
	} catch (error) {
		return [missing(name, part.unit, error)];
	}
	const against = { name: 'bare fetch loop', value: bare.cpuMs / part.perUnit };
	for (const subject of part.subjects) {
		const title = `${name}: ${subject.title}`;
		try {
			const measured = await bench.measure(child, wire, subject.name, part.task, RUNS);
			const bound = subject.bounded ? { bound: part.bound } : {};
			rows.push(row({ name: title, unit: part.unit, ours: measured.cpuMs / part.perUnit, against, ...bound }));
			if (part.task === 'turns' && subject === session) rows.push(...latencyRows(wire, bare, measured));
		} catch (error) {
			rows.push(missing(title, part.unit, error));
		}
	}
	return rows;
}

/** What a round costs beside the bare loop on the clock, and how long an event takes to whoever shows it. */
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

async function piRow(bench: LoopBench, child: string, part: Part, peers: string | Error): Promise<Row> {
	const name = `${part.title}, anthropic: ${PI}`;
	try {
		if (typeof peers !== 'string') throw peers;
		const script = path.join(peers, 'pi.mjs');
		if (!existsSync(script)) throw new Error(`${script} is missing.`);
		// It reads all of an argument again for each delta: once is long enough.
		const runs = part.task === 'argument' ? 1 : RUNS;
		const [pi, bare] = [
			await bench.measure(script, 'anthropic', 'pi', part.task, runs),
			await bench.measure(child, 'anthropic', 'bare', part.task, RUNS)
		];
		const note = runs === 1 ? 'a peer, one run' : 'a peer';
		const against = { name: 'bare fetch loop', value: bare.cpuMs / part.perUnit };
		return row({ name, unit: part.unit, ours: pi.cpuMs / part.perUnit, against, note });
	} catch (error) {
		return missing(name, part.unit, error);
	}
}
