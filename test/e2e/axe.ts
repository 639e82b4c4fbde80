import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright';

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface Finding {
	id: string;
	nodes: { target: unknown; failureSummary?: string }[];
}

/**
 * The editor's list of completions is scrolled with the arrow keys of the text field that controls it
 * (`aria-activedescendant`). axe only exempts such lists below a combobox; a multi-line editor is a text box.
 */
function isCompletionList(id: string, { target }: Finding['nodes'][number]): boolean {
	return id === 'scrollable-region-focusable' && /^\["#cm-ac-\w+"\]$/.test(JSON.stringify(target));
}

/** Returns the violations that axe-core finds in the page, one line each. */
export async function violations(page: Page): Promise<string[]> {
	// Through the debugger: the page's own policy blocks other scripts.
	if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(`${source};0`);
	const found = await page.evaluate(async () => {
		const { axe } = globalThis as unknown as { axe: { run(): Promise<{ violations: Finding[] }> } };
		return (await axe.run()).violations;
	});
	return found.flatMap(({ id, nodes }) =>
		nodes
			.filter((node) => !isCompletionList(id, node))
			.map(({ target, failureSummary }) => `${id}: ${JSON.stringify(target)} ${failureSummary ?? ''}`)
	);
}

/** Returns the violations in both themes, each line with the theme's name. Leaves the page in the light theme. */
export async function violationsInBothThemes(page: Page): Promise<string[]> {
	const found: string[] = [];
	for (const colorScheme of ['dark', 'light'] as const) {
		await page.emulateMedia({ colorScheme });
		// Scripts apply the theme before the second frame. Finite animations (transitions, elements that fade in or
		// out) have to end, including those that they start: half-transparent text has no contrast.
		await page.evaluate(async () => {
			for (let fading = null; fading?.length !== 0;) {
				await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
				fading = document
					.getAnimations()
					.filter(
						({ effect, playState }) => playState === 'running' && effect?.getComputedTiming().endTime !== Infinity
					);
				await Promise.allSettled(fading.map(({ finished }) => finished));
			}
		});
		found.push(...(await violations(page)).map((line) => `${colorScheme}: ${line}`));
	}
	return found;
}
