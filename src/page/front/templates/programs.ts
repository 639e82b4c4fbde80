/** Files of the templates that run in the terminal. */
type Files = Record<string, string>;

const json = (value: unknown): string => `${JSON.stringify(value, null, '\t')}\n`;

export const NODE: Files = {
	'package.json': json({
		name: 'new-project',
		version: '0.1.0',
		private: true,
		type: 'module',
		scripts: { test: 'node --test test/*.test.ts' }
	}),
	'src/greet.ts': `/** A greeting for someone. */
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

export const HONO: Files = {
	'package.json': json({
		name: 'node-api',
		version: '0.1.0',
		private: true,
		type: 'module',
		scripts: { start: 'node src/server.ts', test: 'node --test test/*.test.ts' },
		dependencies: { '@hono/node-server': '^1.13.0', hono: '^4.6.0' }
	}),
	'src/app.ts': `import { Hono } from 'hono';

export const app = new Hono();

app.get('/', (context) => context.json({ hello: 'world' }));
app.get('/greet/:name', (context) => context.json({ hello: context.req.param('name') }));
`,
	'src/server.ts': `import { serve } from '@hono/node-server';
import { app } from './app.ts';

serve({ fetch: app.fetch, port: 3000 }, ({ port }) => console.log(\`Listening on port \${port}\`));
`,
	'test/app.test.ts': `import assert from 'node:assert/strict';
import { it } from 'node:test';
import { app } from '../src/app.ts';

it('greets by name', async () => {
	const response = await app.request('/greet/Ada');
	assert.deepEqual(await response.json(), { hello: 'Ada' });
});
`,
	'readme.md': '# Node API\n\n1. `npm install`\n2. `npm start`, and open port 3000 in the preview\n3. `npm test`\n'
};

export const PYTHON: Files = {
	'pyproject.toml': `[project]
name = "greeting"
version = "0.1.0"
requires-python = ">=3.10"
`,
	'greeting/__init__.py': `"""Greetings for people."""


def greet(name: str) -> str:
    """A greeting for someone."""
    return f"Hello, {name}!"
`,
	'tests/test_greeting.py': `import unittest

from greeting import greet


class GreetTest(unittest.TestCase):
    def test_greets_by_name(self):
        self.assertEqual(greet("Ada"), "Hello, Ada!")


if __name__ == "__main__":
    unittest.main()
`,
	'readme.md': '# Python package\n\nRun the tests with `python -m unittest discover tests`.\n'
};

export const CLI: Files = {
	'package.json': json({
		name: 'count-words',
		version: '0.1.0',
		private: true,
		type: 'module',
		bin: { 'count-words': 'src/cli.ts' },
		scripts: { start: 'node src/cli.ts', test: 'node --test test/*.test.ts' }
	}),
	'src/cli.ts': `#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { countWords } from './count.ts';

const { positionals, values } = parseArgs({ allowPositionals: true, options: { help: { type: 'boolean', short: 'h' } } });
if (values.help || positionals.length === 0) {
	console.log('Usage: count-words FILE…');
	process.exit(values.help ? 0 : 2);
}
for (const file of positionals) console.log(\`\${countWords(readFileSync(file, 'utf8'))} \${file}\`);
`,
	'src/count.ts': `/** The number of words in a text. */
export function countWords(text: string): number {
	return text.split(/\\s+/).filter((word) => word !== '').length;
}
`,
	'test/count.test.ts': `import assert from 'node:assert/strict';
import { it } from 'node:test';
import { countWords } from '../src/count.ts';

it('counts words', () => assert.equal(countWords(' one  two\\nthree '), 3));
`,
	'readme.md': '# Command-line tool\n\nTry `node src/cli.ts readme.md`; run the tests with `npm test`.\n'
};
