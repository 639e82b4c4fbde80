import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { lockInMemory } from './in-memory.ts';
import { type Outcome, outcomeOf, publish, type RandomProject } from './random-project.ts';

/** Trees of npm 11.19.1, recorded by `npm run soak trees`, which compares many more with npm itself. */
const recorded = readFileSync(path.join(import.meta.dirname, 'recorded-trees.jsonl'), 'utf8')
	.trim()
	.split('\n')
	.map((line) => JSON.parse(line) as { project: RandomProject; tree: Outcome });

it('gives a project the tree that npm gives it, or the same error', async () => {
	expect(recorded.length).toBeGreaterThan(100);
	for (const { project, tree } of recorded) {
		const registry = await publish(project);
		const manifest = JSON.stringify({ name: 'project', version: '1.0.0', ...project.manifest });
		const { lock, said } = await lockInMemory(manifest, registry.url);
		await registry.close();
		expect(outcomeOf(lock, said), JSON.stringify(project)).toEqual(tree);
	}
});
