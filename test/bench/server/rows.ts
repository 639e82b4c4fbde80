import { median, missing, percentile, row, type Row } from '../row.ts';
import { chunkLatencies, leaveAll, paused, requestsPerSecond, type Subject } from './load.ts';
import { startServerBench, type Measurable, type ServerBench } from './subjects.ts';

const ROUNDS = 3;
const STREAMS = 500;
const EVERY_MS = 100;
const STREAM = `60/${EVERY_MS}`;
const CONNECTIONS = 64;
const RATE_MS = 4_000;
const ABORT_MS = 100;
const READ_NOTHING_MS = 5_000;

/**
 * Measures the proxy under load compared with a bare Node proxy and the Portkey gateway, all in front of the same fake
 * provider.
 * @param built directory with the bundles
 * @param server the built `dist/server/main.js`
 * @param peers the directory with the peers' packages, or why there is none
 */
export async function serverRows(built: string, server: string, peers: string | Error): Promise<Row[]> {
	const bench = await startServerBench(built, server, peers);
	try {
		const rows = [...(await latencyRows(bench)), ...(await rateRows(bench))];
		rows.push(await abortRow(bench), await memoryRow(bench));
		return rows;
	} finally {
		bench.close();
	}
}

/** Measures every subject once per round, so that other load on the machine affects all of them. */
async function inTurns(subjects: readonly Subject[], measure: (subject: Subject) => Promise<number[]>) {
	const figures = new Map<Subject, number[][]>();
	for (let round = 0; round < ROUNDS; round++)
		for (const subject of subjects) figures.set(subject, [...(figures.get(subject) ?? []), await measure(subject)]);
	return (subject: Subject, index: number): number =>
		median((figures.get(subject) ?? []).map((round) => round[index] ?? Number.NaN));
}

async function latencyRows({ straight, bare, ours, portkey }: ServerBench): Promise<Row[]> {
	const proxies = portkey instanceof Error ? [bare, ours] : [bare, ours, portkey];
	const figure = await inTurns([straight, ...proxies], async (subject) => {
		const delays = await chunkLatencies(subject, STREAM, STREAMS, EVERY_MS);
		return [percentile([...delays], 0.5), percentile([...delays], 0.99)];
	});
	return [
		{ share: 'p50', index: 0, bound: 1.3 },
		{ share: 'p99', index: 1, bound: 1.5 }
	].flatMap(({ share, index, bound }) => {
		const added = (subject: Subject): number => figure(subject, index) - figure(straight, index);
		const name = `${STREAMS} streams at once, time added a chunk, ${share}`;
		const against = { name: bare.name, value: added(bare) };
		const note = `straight ${Math.round(figure(straight, index))} µs`;
		return [
			row({ name, unit: 'µs', ours: added(ours), against, bound, note }),
			portkey instanceof Error
				? missing(`${name}: Portkey`, 'µs', portkey)
				: row({ name: `${name}: ${portkey.name}`, unit: 'µs', ours: added(portkey), against, note: 'a peer' })
		];
	});
}

async function rateRows({ bare, ours, portkey }: ServerBench): Promise<Row[]> {
	const proxies = portkey instanceof Error ? [bare, ours] : [bare, ours, portkey];
	const figure = await inTurns(proxies, async (subject) => [
		1_000 / (await requestsPerSecond(subject, CONNECTIONS, RATE_MS))
	]);
	const name = `a small answer, ${CONNECTIONS} connections`;
	const against = { name: bare.name, value: figure(bare, 0) };
	const perSecond = (subject: Subject): string => `${Math.round(1_000 / figure(subject, 0))} a second`;
	return [
		row({
			name,
			unit: 'ms',
			ours: figure(ours, 0),
			against,
			bound: 1,
			note: `${perSecond(ours)}, bare ${perSecond(bare)}`
		}),
		portkey instanceof Error
			? missing(`${name}: Portkey`, 'ms', portkey)
			: row({
					name: `${name}: ${portkey.name}`,
					unit: 'ms',
					ours: figure(portkey, 0),
					against,
					note: `a peer, ${perSecond(portkey)}`
				})
	];
}

async function abortRow({ upstream, bare, ours }: ServerBench): Promise<Row> {
	const slowest = async (subject: Subject): Promise<number> => {
		const left = await leaveAll(subject, '40/250', STREAMS);
		for (let tries = 0; tries < 100; tries++) {
			const { closedUs } = await upstream.counts();
			const took = [...left].map(([name, at]) => (closedUs[name] ?? Number.NaN) - at);
			if (took.every(Number.isFinite)) return Math.max(...took) / 1_000;
			await new Promise((resolve) => setTimeout(resolve, 50));
		}
		return Number.NaN;
	};
	const beside = await slowest(bare);
	return row({
		name: `the slowest of ${STREAMS} aborts at the provider`,
		unit: 'ms',
		ours: await slowest(ours),
		against: { name: 'limit', value: ABORT_MS },
		bound: 1,
		note: `bare Node proxy ${Math.round(beside)} ms`
	});
}

async function memoryRow({ upstream, bare, ours }: ServerBench): Promise<Row> {
	const growth = async (subject: Measurable): Promise<{ kept: number; written: number }> => {
		const before = (await subject.used()).memoryBytes;
		const writtenBefore = (await upstream.counts()).endlessBytes;
		const reader = await paused(subject);
		await new Promise((resolve) => setTimeout(resolve, READ_NOTHING_MS));
		const kept = (await subject.used()).memoryBytes - before;
		const written = (await upstream.counts()).endlessBytes - writtenBefore;
		reader.leave();
		return { kept: Math.max(0, kept) / 2 ** 20, written: written / 2 ** 20 };
	};
	const beside = await growth(bare);
	const { kept, written } = await growth(ours);
	return row({
		name: `memory after ${READ_NOTHING_MS / 1000} s of a reader that reads nothing`,
		unit: 'MB',
		ours: kept,
		against: { name: 'limit', value: 16 },
		bound: 1,
		note: `the provider got rid of ${written.toFixed(1)} MB; bare Node proxy kept ${beside.kept.toFixed(1)} MB`
	});
}
