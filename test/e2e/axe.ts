import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright';

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface Finding {
	id: string;
	nodes: { target: unknown; failureSummary?: string }[];
}

/** What axe-core finds wrong with the page as it stands, a line each. */
export async function violations(page: Page): Promise<string[]> {
	// Through the debugger: the page's own policy keeps other scripts out.
	if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(`${source};0`);
	const found = await page.evaluate(async () => {
		const { axe } = globalThis as unknown as { axe: { run(): Promise<{ violations: Finding[] }> } };
		return (await axe.run()).violations;
	});
	return found.flatMap(({ id, nodes }) =>
		nodes.map(({ target, failureSummary }) => `${id}: ${JSON.stringify(target)} ${failureSummary ?? ''}`)
	);
}
