import { readFileSync } from 'node:fs';
import path from 'node:path';

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
 * @typedef {object} Equivalent a change that no caller can notice
 * @property {string} file
 * @property {string} source as in {@link Survivor}
 * @property {string} code
 * @property {string} replacement
 * @property {string} reason
 */
const ONE_LINE = 160;
const COUNTS = /** @type {const} */ (['mutants', 'killed', 'survived', 'timedOut', 'equivalent']);

/**
 * Counts per file, relative to the working directory. Mutants that do not run (compile errors, ignored ones) are left out.
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
		(each) => each.file === file && each.source === source && each.code === code && each.replacement === replacement
	);
}

/**
 * Markdown with a table for each room.
 *
 * @param {Record<string, Row>} results
 * @param {Equivalent[]} equivalent
 */
export function table(results, equivalent) {
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
	return `${[...parts, '## Equivalent', '', ...reasons].join('\n')}\n`;
}

/** @param {string} room @param {[file: string, row: Row][]} files @param {Equivalent[]} equivalent */
function roomTable(room, files, equivalent) {
	const total = { date: '', mutants: 0, killed: 0, timedOut: 0, equivalent: 0, survived: 0 };
	const lines = files.map(([file, row]) => {
		const named = row.survivors.filter((survivor) => isEquivalent(file, survivor, equivalent)).length;
		const counts = { ...row, equivalent: named, survived: row.survivors.length - named };
		for (const key of COUNTS) total[key] += counts[key];
		return line(file, counts);
	});
	const head = '| file | date | mutants | killed | survived | timed out | equivalent | score |';
	const rule = '| --- | --- | --- | --- | --- | --- | --- | --- |';
	return [`## ${room}`, '', head, rule, ...lines, line('**all of these**', total), ''].join('\n');
}

/** @param {string} name @param {{ date: string, mutants: number, killed: number, survived: number, timedOut: number, equivalent: number }} row */
function line(name, row) {
	const { date, mutants, killed, survived, timedOut, equivalent } = row;
	// A time-out is no proof that a test would have noticed.
	const score = mutants === equivalent ? 1 : killed / (mutants - equivalent);
	const cells = [name, date, mutants, killed, survived, timedOut, equivalent, `${(100 * score).toFixed(1)} %`];
	return `| ${cells.join(' | ')} |`;
}
