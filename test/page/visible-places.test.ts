import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'svelte/compiler';
import { expect, it } from 'vitest';

const PAGE = join(import.meta.dirname, '../../src/page');
/** Attributes that users read. */
const READ = new Set(['title', 'aria-label', 'alt', 'label', 'placeholder']);
/** Names of values that come from a repository, a share, a model, a server or a program. */
const FOREIGN =
	/(?:^|[.\s(,{])(?:path|host|branch|command|purpose|url)\b|\b(?:session|share|file|server|folder|origin|bundle|project|doomed|other|script|item|choice|request|entry|comment|diagnostic|todo|explanation)\??\.(?:name|title|label|text|path|description|reason|message|quote|question|detail|sentence|method)\b/;
const SHOWN = /\bvisible(?:Name|Line|Passage)\(/;

/** Expressions that look like those, and where they are handled. */
const ELSEWHERE = new Map([
	// Rendered by Markdown and the card of a tool.
	['timeline/renderers/Text.svelte', ['item.text']],
	['timeline/renderers/Reasoning.svelte', ['item.text']],
	// Output and diff lines print their label.
	['timeline/renderers/ShellTool.svelte', ['command']],
	['timeline/renderers/ReadTool.svelte', ['path']],
	['timeline/renderers/EditTool.svelte', ['path']],
	['timeline/renderers/Permission.svelte', ['request.path ?? request.description']],
	['timeline/renderers/Effects.svelte', ['file.path']],
	// A URL from our own list of providers.
	['settings/AddKey.svelte', ['t.path(new URL(provider.baseUrl).host)']],
	// The user’s own words, and ours.
	['workbench/files/menu/TreeMenu.svelte', ['item.label']],
	['composer/Comments.svelte', ['comment.text']],
	['share/ShareDialog.svelte', ['copied === created.url ? t : t']]
]);

interface Found {
	file: string;
	source: string;
}

/** Every expression of a component whose value a user can read. */
function shownExpressions(file: string): Found[] {
	const text = readFileSync(join(PAGE, file), 'utf8');
	const found: Found[] = [];
	const visit = (node: unknown, isRead: boolean): void => {
		if (Array.isArray(node)) return node.forEach((each) => visit(each, isRead));
		if (typeof node !== 'object' || node === null) return;
		const { type, name, value, expression, ...rest } = node as Record<string, unknown> & { name?: string };
		if (type === 'Attribute') return visit(value, READ.has(name ?? ''));
		if (type === 'ExpressionTag' && isRead) {
			const { start, end } = expression as { start: number; end: number };
			const source = text.slice(start, end).replace(/\s+/g, ' ');
			// The page's own sentences.
			found.push({ file, source: source.replace(/\bt(?:\.\w+)+(?!\w|\()/g, 't') });
			return;
		}
		// Props of a component, which it renders itself.
		for (const [key, inner] of Object.entries(rest))
			if (key !== 'metadata') visit(inner, type === 'Component' && key === 'attributes' ? false : isRead);
	};
	visit(parse(text, { modern: true }).fragment, true);
	return found;
}

const components = readdirSync(PAGE, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.svelte'));
const shown = components.flatMap(shownExpressions);

it('looks at every place of the page where something is shown', () => {
	expect(components.length).toBeGreaterThan(80);
	expect(shown.filter(({ source }) => SHOWN.test(source)).length).toBeGreaterThan(50);
});

it('writes out what cannot be seen wherever a name from outside is shown', () => {
	const raw = shown.filter(
		({ file, source }) => FOREIGN.test(source) && !SHOWN.test(source) && !ELSEWHERE.get(file)?.includes(source)
	);
	expect(raw).toEqual([]);
});
