import type { ImportSource } from '#workspace/contract.ts';
import { t } from '../strings/index.ts';

export interface Template {
	title: string;
	about: string;
	source: ImportSource;
}

const NODE_FILES = {
	'package.json': `{
	"name": "new-project",
	"version": "0.1.0",
	"private": true,
	"type": "module",
	"scripts": {
		"test": "node --test test/*.test.ts"
	}
}
`,
	'src/greet.ts': `/** A greeting for somebody. */
export function greet(name: string): string {
	return \`Hello, \${name}!\`;
}
`,
	'test/greet.test.ts': `import assert from 'node:assert/strict';
import { it } from 'node:test';
import { greet } from '../src/greet.ts';

it('greets by name', () => assert.equal(greet('Ada'), 'Hello, Ada!'));
`,
	'readme.md': '# New project\n\nRun the tests with `npm test`.\n'
};

const PAGE_FILES = {
	'index.html': `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>New page</title>
<style>
	body { font: 18px/1.6 system-ui, sans-serif; max-width: 40em; margin: 15vh auto; padding: 0 1em; }
</style>
</head>
<body>
<h1>New page</h1>
<p>Ask the agent to change it, and look at it in the preview.</p>
</body>
</html>
`
};

/** Entries of *Start from a template*. */
export const templates = (): readonly Template[] => [
	entry(t.templates.node, 'node-project', NODE_FILES),
	entry(t.templates.page, 'web-page', PAGE_FILES),
	entry(t.templates.empty, 'empty', { 'readme.md': '# New project\n' })
];

function entry([title, about]: readonly [string, string], name: string, files: Record<string, string>): Template {
	return { title, about, source: { kind: 'files', name, files } };
}
