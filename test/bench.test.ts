import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';

const row = z.object({ name: z.string(), ours: z.number().nullable(), ratio: z.number().nullable(), unit: z.string() });
const file = path.resolve(import.meta.dirname, 'bench/results.json');
const rows = z.array(row).parse(JSON.parse(readFileSync(file, 'utf8')));

/** What was measured last is what the README tells; a figure that no longer holds is not to be told. */
describe('the figures of the last npm run bench', () => {
	it.each(['anthropic', 'openai', 'gemini'])(
		'show what a round costs and how fast an event arrives, for %s [S-38]',
		(wire) => {
			const find = (name: string) => rows.find((each) => each.name === `${name}, ${wire}: Session`);
			expect(find('time a round adds')).toMatchObject({ unit: 'ms', ours: expect.any(Number) });
			expect(find('time a round adds')?.ours).toBeLessThanOrEqual(5);
			expect(find('emit to consumer p50')?.ours).toBeLessThan(1);
		}
	);
});
