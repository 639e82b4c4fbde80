import type { ImportSource } from '#workspace/contract.ts';
import { type Demo, DEMO_TEMPLATE } from '../demos.ts';
import { t } from '../strings/index.ts';
import { CLI, HONO, NODE, PYTHON } from './templates/programs.ts';
import { PAGE, REACT, STATIC_SITE, SVELTE, VANILLA, VUE } from './templates/pages.ts';

export interface Template {
	title: string;
	about: string;
	source: ImportSource;
	/** View to open first. */
	view: FirstView;
}

/** View that a new project opens first: a file, and a document in the preview. */
export interface FirstView {
	file: string;
	preview?: string;
	/** Demo whose task fits the project; the page suggests it. */
	demo?: Demo;
}

/** Entries of *Start from a template*. */
export const templates = (): readonly Template[] => [
	entry(t.templates.vanilla, DEMO_TEMPLATE, VANILLA, {
		file: 'src/main.ts',
		preview: 'index.html',
		demo: 'page'
	}),
	entry(t.templates.react, 'react-app', REACT, { file: 'src/App.tsx', preview: 'index.html' }),
	entry(t.templates.svelte, 'svelte-app', SVELTE, { file: 'src/App.svelte', preview: 'index.html' }),
	entry(t.templates.vue, 'vue-app', VUE, { file: 'src/App.vue', preview: 'index.html' }),
	entry(t.templates.hono, 'node-api', HONO, { file: 'src/app.ts' }),
	entry(t.templates.python, 'python-package', PYTHON, { file: 'greeting/__init__.py' }),
	entry(t.templates.cli, 'command-line-tool', CLI, { file: 'src/cli.ts' }),
	entry(t.templates.site, 'static-site', STATIC_SITE, { file: 'index.html', preview: 'index.html' }),
	entry(t.templates.node, 'node-project', NODE, { file: 'src/greet.ts' }),
	entry(t.templates.page, 'web-page', PAGE, { file: 'index.html', preview: 'index.html' }),
	entry(t.templates.empty, 'empty', { 'readme.md': '# New project\n' }, { file: 'readme.md' })
];

/** @throws Error if there is no such template; the names are in this file */
export function templateNamed(name: string): Template {
	const found = templates().find(({ source }) => source.kind === 'files' && source.name === name);
	if (!found) throw new Error(`There is no template named ${name}.`);
	return found;
}

function entry(
	[title, about]: readonly [string, string],
	name: string,
	files: Record<string, string>,
	view: FirstView
): Template {
	return { title, about, source: { kind: 'files', name, files }, view };
}
