import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/**
 * Mutants that were killed, by the file and their places in the list of its mutants, and the text that they belong to.
 *
 * @typedef {Record<string, { hash: string, killed: number[] }>} Killed
 */

/** @param {string} text of a source */
export const hashOf = (text) => createHash('sha256').update(text).digest('hex');

/**
 * Adds the kills of a run, also of one that was cut, to those of the runs before it. Sources that have changed since
 * begin again.
 *
 * @param {string} folder of the run, with its plan and its verdicts
 * @param {string} kept file of the kills
 * @returns {Killed}
 */
export function collectKilled(folder, kept) {
	/** @type {Killed} */
	const all = existsSync(kept) ? JSON.parse(readFileSync(kept, 'utf8')) : {};
	const [plan, log] = ['plan.json', 'verdicts.jsonl'].map((name) => path.join(folder, name));
	if (plan && log && existsSync(plan) && existsSync(log)) {
		const { fileOf, hashes } = JSON.parse(readFileSync(plan, 'utf8'));
		const places = placesOf(fileOf);
		// A run that is cut can leave half a line.
		const lines = readFileSync(log, 'utf8').split('\n').slice(0, -1);
		for (const { mutant, verdict } of lines.map((line) => JSON.parse(line))) {
			const place = places.get(mutant);
			if (verdict !== 'Killed' || !place) continue;
			const hash = hashes[place.file];
			const known = all[place.file]?.hash === hash ? all[place.file] : undefined;
			const row = (all[place.file] = known ?? { hash, killed: [] });
			if (!row.killed.includes(place.index)) row.killed.push(place.index);
		}
	}
	mkdirSync(path.dirname(kept), { recursive: true });
	writeFileSync(kept, JSON.stringify(all));
	return all;
}

/**
 * Lists the mutants of this run that earlier ones killed, in the same text.
 *
 * @param {Killed} killed
 * @param {Record<string, string>} fileOf files by the ids of their mutants
 * @param {Record<string, string>} hashes of the texts of the files
 * @returns {string[]}
 */
export function killedBefore(killed, fileOf, hashes) {
	return [...placesOf(fileOf)].flatMap(([id, { file, index }]) =>
		killed[file]?.hash === hashes[file] && killed[file]?.killed.includes(index) ? [id] : []
	);
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
