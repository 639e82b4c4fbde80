import { describe, expect, it } from 'vitest';
import { AsyncContext } from '#computer/node/loader/async-context.ts';
import type { LoaderFiles } from '#computer/node/loader/files.ts';

const AWAITS = 'async function f() { await g(); }';
const files = { isFile: () => false } as unknown as LoaderFiles;

/** Returns whether awaits are rewritten in code that follows a file with this text. */
function rewritesAfter(code: string): boolean {
	const context = new AsyncContext(files);
	context.saw('/workspace/node_modules/a/index.js', code);
	return context.prepare(AWAITS, false) !== AWAITS;
}

describe('the awaits of a program', () => {
	it.each([
		"const { AsyncLocalStorage } = require('async_hooks');",
		'var a=t("node:async_hooks"),b',
		'const hooks = await import( `node:async_hooks` );',
		'import{AsyncResource as e}from"async_hooks";',
		"import 'node:async_hooks';",
		"export * from 'node:async_hooks'",
		"process.getBuiltinModule('async_hooks').AsyncLocalStorage"
	])('are rewritten where it loads the module: %s', (code) => {
		expect(rewritesAfter(code)).toBe(true);
	});

	it.each([
		"const modules = ['assert', 'async_hooks', 'buffer'];",
		'// There is no async_hooks here.',
		"const { async_hooks } = require('./async_hooks');"
	])('are left alone where it only names it: %s', (code) => {
		expect(rewritesAfter(code)).toBe(false);
	});

	it('are rewritten once it has loaded the module under a name that its text lacks', () => {
		const context = new AsyncContext(files);
		expect(context.prepare(AWAITS, false)).toBe(AWAITS);
		context.loaded();
		expect(context.prepare(AWAITS, false)).toContain('await __sandglass_wait(');
	});
});
