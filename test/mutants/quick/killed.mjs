import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/**
 * Mutants that were killed or that blocked a process, by file and index in its list of mutants, and the hash of the
 * file's text.
 *
 * @typedef {Record<string, { hash: string, killed: number[], blocked?: number[] }>} Killed
 */

/** @param {string} text of a source */
export const hashOf = (text) => createHash('sha256').update(text).digest('hex');

/**
 * Merges the kills of a run, even an interrupted one, into those of earlier runs. Sources that have changed since start
 * again.
 *
 * @param {string} folder folder of the run, with its plan and its verdicts
 * @param {string} kept file of all kills
 * @returns {Killed}
 */
export function collectKilled(folder, kept) {
	/** @type {Killed} */
	const all = existsSync(kept) ? JSON.parse(readFileSync(kept, 'utf8')) : {};
	const [plan, log] = ['plan.json', 'verdicts.jsonl'].map((name) => path.join(folder, name));
	if (plan && log && existsSync(plan) && existsSync(log)) {
		const { fileOf, hashes } = JSON.parse(readFileSync(plan, 'utf8'));
		const places = placesOf(fileOf);
		// An interrupted run can leave half a line.
		const lines = readFileSync(log, 'utf8').split('\n').slice(0, -1);
		for (const { mutant, verdict, isBlocked } of lines.map((line) => JSON.parse(line))) {
			const place = places.get(mutant);
			if ((verdict !== 'Killed' && !isBlocked) || !place) continue;
			const hash = hashes[place.file];
			const known = all[place.file]?.hash === hash ? all[place.file] : undefined;
			const row = (all[place.file] = known ?? { hash, killed: [] });
			const list = isBlocked ? (row.blocked ??= []) : row.killed;
			if (!list.includes(place.index)) list.push(place.index);
		}
	}
	mkdirSync(path.dirname(kept), { recursive: true });
	writeFileSync(kept, JSON.stringify(all));
	return all;
}

/**
 * Lists the mutants of this run that earlier ones decided, for the same text, as lines of the log.
 *
 * @param {Killed} killed
 * @param {Record<string, string>} fileOf files by the ids of their mutants
 * @param {Record<string, string>} hashes hashes of the files' texts
 * @returns {{ mutant: string, verdict: 'Killed' | 'Timeout', isBlocked?: true }[]}
 */
export function decidedBefore(killed, fileOf, hashes) {
	return [...placesOf(fileOf)].flatMap(([mutant, { file, index }]) => {
		const row = killed[file];
		if (row === undefined || row.hash !== hashes[file]) return [];
		if (row.killed.includes(index)) return [{ mutant, verdict: /** @type {const} */ ('Killed') }];
		if (!row.blocked?.includes(index)) return [];
		return [{ mutant, verdict: /** @type {const} */ ('Timeout'), isBlocked: /** @type {const} */ (true) }];
	});
}

/** @param {Record<string, string>} fileOf @returns {Map<string, { file: string, index: number }>} by id */
function placesOf(fileOf) {
	/** @type {Record<string, number>} */
	const counts = {};
	return new Map(
		Object.entries(fileOf).map(([id, file]) => {
			const index = counts[file] ?? 0;
			counts[file] = index + 1;
			return [id, { file, index }];
		})
	);
}
