import { readFileSync } from 'node:fs';
import path from 'node:path';
import { wilson } from './sample.mjs';

/**
 * @typedef {object} Survivor a fault that no test noticed
 * @property {number} line
 * @property {string} mutator
 * @property {string} source the first line of the text that was replaced
 * @property {string} code that text, on one line
 * @property {string} replacement
 *
 * @typedef {object} Row
 * @property {string} room
 * @property {string} date
 * @property {number} mutants those that could run
 * @property {number} killed
 * @property {number} timedOut not counted as killed
 * @property {Survivor[]} survivors equivalent ones included
 *
 * @typedef {object} Sample mutants drawn from all of a room
 * @property {string} room
 * @property {number} seed
 * @property {string} date
 * @property {number} all how many the room has
 * @property {Record<string, Omit<Row, 'room' | 'date'>>} files
 *
 * @typedef {object} Equivalent a change that no caller can notice
 * @property {string} file
 * @property {string} [source] as in {@link Survivor}; absent: on any line of the file
 * @property {string} code
 * @property {string} replacement
 * @property {string} reason
 */
const ONE_LINE = 160;
const COUNTS = /** @type {const} */ (['mutants', 'killed', 'survived', 'timedOut', 'equivalent']);

/**
 * Counts per file, relative to the working directory. Mutants that do not run (compile errors, ignored ones) are not
 * counted.
 *
 * @param {readonly import('@stryker-mutator/api/core').MutantResult[]} mutants
 * @returns {Record<string, Omit<Row, 'room' | 'date'>>}
 */
export function summarize(mutants) {
	/** @type {Record<string, Omit<Row, 'room' | 'date'>>} */
	const rows = {};
	for (const mutant of mutants) {
		if (['CompileError', 'RuntimeError', 'Ignored', 'Pending'].includes(mutant.status)) continue;
		const file = path.relative('', mutant.fileName);
		const row = (rows[file] ??= { mutants: 0, killed: 0, timedOut: 0, survivors: [] });
		row.mutants += 1;
		if (mutant.status === 'Killed') row.killed += 1;
		else if (mutant.status === 'Timeout') row.timedOut += 1;
		else row.survivors.push(survivorOf(mutant));
	}
	return rows;
}

/** @param {import('@stryker-mutator/api/core').MutantResult} mutant @returns {Survivor} */
function survivorOf({ fileName, location: { start, end }, mutatorName, replacement = '' }) {
	const lines = readFileSync(fileName, 'utf8')
		.split('\n')
		.slice(start.line - 1, end.line);
	const source = (lines[0] ?? '').trim();
	lines[lines.length - 1] = (lines.at(-1) ?? '').slice(0, end.column - 1);
	lines[0] = (lines[0] ?? '').slice(start.column - 1);
	const code = oneLine(lines.join('\n'));
	return { line: start.line, mutator: mutatorName, source, code, replacement: oneLine(replacement) };
}

/** @param {string} text */
const oneLine = (text) => text.replace(/\s+/g, ' ').slice(0, ONE_LINE);

/** @param {string} file @param {Survivor} survivor @param {Equivalent[]} equivalent */
function isEquivalent(file, survivor, equivalent) {
	const { source, code, replacement } = survivor;
	return equivalent.some(
		(each) =>
			each.file === file && (each.source ?? source) === source && each.code === code && each.replacement === replacement
	);
}

/**
 * Formats Markdown with a table of the samples and one for each room that has completely measured files.
 *
 * @param {Record<string, Row>} results
 * @param {readonly Sample[]} samples
 * @param {Equivalent[]} equivalent
 */
export function table(results, samples, equivalent) {
	const rooms = new Set(Object.values(results).map(({ room }) => room));
	const parts = [...rooms].map((room) =>
		roomTable(
			room,
			Object.entries(results).filter(([, row]) => row.room === room),
			equivalent
		)
	);
	const reasons = equivalent.map(
		({ file, code, replacement, reason }) => `- ${file}: \`${code}\` as \`${replacement}\`. ${reason}`
	);
	return `${[sampleTable(samples, equivalent), ...parts, '## Equivalent', '', ...reasons].join('\n')}\n`;
}

/** @param {readonly Sample[]} samples @param {Equivalent[]} equivalent */
function sampleTable(samples, equivalent) {
	const lines = samples.map(({ room, seed, date, all, files }) => {
		const counts = total(Object.entries(files), equivalent);
		const counted = counts.mutants - counts.equivalent;
		const { low, high } = wilson(counts.killed, counted);
		const cells = [room, date, seed, all, ...COUNTS.map((key) => counts[key])];
		return `| ${[...cells, percent(counts.killed / counted), `${percent(low)} to ${percent(high)}`].join(' | ')} |`;
	});
	const head =
		'| room | date | seed | mutants in all | drawn | killed | survived | timed out | equivalent | score | 95 % interval |';
	const rule = '| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |';
	return ['## Samples', '', head, rule, ...lines, ''].join('\n');
}

/**
 * Sums up the files, with equivalent mutants separate from other survivors.
 *
 * @param {[file: string, row: Omit<Row, 'room' | 'date'>][]} files
 * @param {Equivalent[]} equivalent
 */
function total(files, equivalent) {
	const sum = { mutants: 0, killed: 0, timedOut: 0, equivalent: 0, survived: 0 };
	for (const [file, row] of files) {
		const named = row.survivors.filter((survivor) => isEquivalent(file, survivor, equivalent)).length;
		const counts = { ...row, equivalent: named, survived: row.survivors.length - named };
		for (const key of COUNTS) sum[key] += counts[key];
	}
	return sum;
}

/** @param {string} room @param {[file: string, row: Row][]} files @param {Equivalent[]} equivalent */
function roomTable(room, files, equivalent) {
	const lines = files.map(([file, row]) => line(file, { date: row.date, ...total([[file, row]], equivalent) }));
	const head = '| file | date | mutants | killed | survived | timed out | equivalent | score |';
	const rule = '| --- | --- | --- | --- | --- | --- | --- | --- |';
	const sum = line('**all of these**', { date: '', ...total(files, equivalent) });
	return [`## Files of ${room}`, '', head, rule, ...lines, sum, ''].join('\n');
}

/** @param {string} name @param {{ date: string, mutants: number, killed: number, survived: number, timedOut: number, equivalent: number }} row */
function line(name, row) {
	const { date, mutants, killed, survived, timedOut, equivalent } = row;
	// A timeout is no proof that a test would have noticed.
	const score = mutants === equivalent ? 1 : killed / (mutants - equivalent);
	return `| ${[name, date, mutants, killed, survived, timedOut, equivalent, percent(score)].join(' | ')} |`;
}

/** @param {number} share */
const percent = (share) => `${(100 * share).toFixed(1)} %`;
