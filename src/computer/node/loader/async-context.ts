import path from 'path';
import { evaluate } from './evaluate.ts';
import { EVALUATED, FOLLOW, RESUME, rewriteAwaits, WAIT } from './await-rewrite.ts';
import { parent, type LoaderFiles } from './files.ts';

const RELATIVE = /\b(?:require\(\s*|from\s*|import\s*\(?\s*)(['"])(\.{1,2}\/[^'"\n]+)\1/g;
const MAX_FILES = 200;
/**
 * Matches loading the module, under whatever name a bundler gives `require`. A mere list of Node's modules, as in
 * TypeScript, does not match.
 */
const LOADS = /\(\s*(['"`])(?:node:)?async_hooks\1\s*\)|\b(?:from|import)\s*(['"])(?:node:)?async_hooks\2/;
const NEEDS_REWRITING = /\bawait\b|\beval\(/;

/** Detects whether a program uses `node:async_hooks`, which requires rewriting its awaits. */
export class AsyncContext {
	#isWanted = false;
	readonly #seen = new Set<string>();

	constructor(private readonly files: LoaderFiles) {}

	/** Records that the program has loaded the module, under a name that its text does not show. */
	loaded(): void {
		this.#isWanted = true;
	}

	/**
	 * Searches a file and those it imports by relative path: a file that runs first may await together with a later
	 * one.
	 */
	saw(file: string, code: string): void {
		if (this.#isWanted) return;
		if (loadsHooks(code)) this.#isWanted = true;
		else if (/\bawait\b/.test(code) && !file.includes('/node_modules/')) this.#follow(file, code);
	}

	/**
	 * Rewrites the awaits of `code` if the program needs that and the result is still valid.
	 * @param mayAwait whether it is the text of a module or of an async function
	 */
	prepare(code: string, mayAwait: boolean): string {
		if (!this.#isWanted || !NEEDS_REWRITING.test(code)) return code;
		try {
			const rewritten = rewriteAwaits(code);
			// Compiled only. Code that uses `await` as a name does not survive the rewrite.
			evaluate(`(${mayAwait ? 'async ' : ''}function* () { ${rewritten}\n})`, 'sandglass-check');
			return rewritten;
		} catch {
			return code;
		}
	}

	/** Prepares text that the program evaluates: it may be the first that loads the module. */
	prepareText(code: string, mayAwait = false): string {
		if (!this.#isWanted && loadsHooks(code)) this.#isWanted = true;
		return this.prepare(code, mayAwait);
	}

	/** Prepares the argument of a rewritten direct `eval`: a string as text, anything else is returned unchanged. */
	evaluated(code: unknown): unknown {
		return typeof code === 'string' ? this.prepareText(code) : code;
	}

	#follow(file: string, code: string): void {
		if (this.#seen.has(file) || this.#seen.size > MAX_FILES) return;
		this.#seen.add(file);
		for (const [, , specifier = ''] of code.matchAll(RELATIVE)) {
			const target = this.#find(path.resolve(parent(file), specifier));
			if (!target || this.#seen.has(target)) continue;
			const text = this.files.read(target);
			if (loadsHooks(text)) this.#isWanted = true;
			else this.#follow(target, text);
			if (this.#isWanted) return;
		}
	}

	#find(target: string): string | undefined {
		const endings = ['', '.js', '.ts', '.mjs', '.cjs', '.tsx', '/index.js', '/index.ts'];
		return endings.map((ending) => target + ending).find((name) => this.files.isFile(name));
	}
}

const loadsHooks = (code: string): boolean => code.includes('async_hooks') && LOADS.test(code);

/** Functions called by rewritten awaits, from `modules/async-hooks.ts`. */
export interface AwaitHelpers {
	wait(value: unknown): unknown;
	resume(carried: unknown): unknown;
	follow(iterated: unknown): unknown;
	evaluated(code: unknown): unknown;
}

/** Defines the functions that rewritten awaits call. */
export function defineAwaitHelpers({ wait, resume, follow, evaluated }: AwaitHelpers): void {
	for (const [name, value] of [
		[WAIT, wait],
		[RESUME, resume],
		[FOLLOW, follow],
		[EVALUATED, evaluated]
	] as const) {
		Object.defineProperty(globalThis, name, { value, configurable: true });
	}
}
