import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { departure, outcomeHere } from './outcome.ts';

const tree = z.record(z.string(), z.string()).transform((files) => new Map(Object.entries(files)));
const answers = z.array(z.object({ before: tree, patch: z.string(), after: tree.nullable() }));

/** Results of codex 0.169.0, as recorded by `npm run soak patches`, which runs many more against the program itself. */
const recorded = answers.parse(JSON.parse(readFileSync(path.join(import.meta.dirname, 'codex-answers.json'), 'utf8')));

it('does what codex does with a patch, or differs for a named reason', async () => {
	const counts = { same: 0, departures: 0 };
	for (const { before, patch, after } of recorded) {
		const reason = departure(before, patch, await outcomeHere(before, patch), { after });
		expect(reason, `codex: ${after ? 'applied' : 'refused'}\n${patch}\n${JSON.stringify([...before])}`).not.toBeNull();
		counts[reason === 'same' ? 'same' : 'departures'] += 1;
	}
	expect(counts).toEqual({ same: 217, departures: 33 });
});
