import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { openSandboxPage } from '#test/computer/sandbox-page/open.ts';
import { registryProblem } from '../registry.ts';
import { PROJECTS } from './manifest.ts';
import { measureProject } from './measure.ts';
import { projectTable, type Row } from './table.ts';

const RESULTS = path.join(import.meta.dirname, 'results.json');
const exitCode = z.number().nullable();
const rows = z.array(
	z.object({
		repository: z.string(),
		commit: z.string(),
		native: z.number(),
		same: z.number(),
		installed: z.boolean(),
		ended: z.boolean(),
		steps: z.array(z.object({ name: z.string(), native: exitCode, here: exitCode })),
		red: z.number(),
		missing: z.number(),
		milliseconds: z.object({ native: z.number(), here: z.number() }).optional(),
		date: z.string()
	})
);
const noRegistry = registryProblem();
const wanted = (process.env['SOAK_NAMES'] ?? '').split(' ').filter((name) => name !== '');
const chosen = PROJECTS.filter(
	({ repository }) => wanted.length === 0 || wanted.some((name) => repository.includes(name))
);

const known: Row[] = existsSync(RESULTS) ? rows.parse(JSON.parse(readFileSync(RESULTS, 'utf8'))) : [];

/** Replaces the project's row and updates the documentation page. */
function remember(row: Row): void {
	const at = known.findIndex(({ repository }) => repository === row.repository);
	known.splice(at < 0 ? known.length : at, 1, row);
	known.sort((a, b) => a.repository.localeCompare(b.repository));
	writeFileSync(RESULTS, `${JSON.stringify(known, null, '\t')}\n`);
	writeFileSync(path.resolve(import.meta.dirname, '../../../docs/projects.md'), projectTable(known, PROJECTS));
}

/** Each in a separate sandbox, so that leftovers do not affect the next. */
it.skipIf(noRegistry).each(chosen)(`$repository has its native verdicts here${noRegistry}`, async (project) => {
	const page = await openSandboxPage({ registry: true });
	try {
		const result = await measureProject(project, page);
		mkdirSync('test-results', { recursive: true });
		const name = project.repository.replace('/', '+');
		writeFileSync(`test-results/project-${name}.json`, JSON.stringify(result, null, '\t'));
		const { repository, commit, native, same, installed, ended, steps, milliseconds } = result;
		const before = known.find((row) => row.repository === repository && row.commit === commit);
		const date = new Date().toISOString().slice(0, 10);
		const counts = { red: result.red.length, missing: result.missing.length };
		remember({ repository, commit, native, same, installed, ended, steps, ...counts, milliseconds, date });
		expect(native).toBeGreaterThan(0);
		expect(same, 'fewer verdicts are equal than before').toBeGreaterThanOrEqual(before?.same ?? 0);
	} finally {
		await page.close();
	}
});
