import { typedModules } from '../typed-modules.ts';

/** Number of modules that `tsc` checks. */
export const MODULES = 500;
/** Number of test files that jest runs, each with {@link TESTS_EACH} tests. */
export const SUITES = 100;
export const TESTS_EACH = 5;
/** Number of components that Vite bundles. */
export const COMPONENTS = 200;

/** A site with TypeScript modules, tests and components. Its packages are in the manifest, next to a lock file. */
export function siteFiles(): Record<string, string> {
	return { ...typedModules(MODULES, 'types'), ...suites(), ...application() };
}

function suites(): Record<string, string> {
	const files: Record<string, string> = {
		'jest.config.js': "module.exports = { testMatch: ['**/tests/*.test.js'] };\n"
	};
	for (let index = 0; index < SUITES; index++) {
		files[`lib/cart-${index}.js`] = [
			'class Cart {',
			'	#lines = new Map();',
			'	add(name, cents, count = 1) {',
			'		const line = this.#lines.get(name) ?? { cents, count: 0 };',
			'		this.#lines.set(name, { ...line, count: line.count + count });',
			'		return this;',
			'	}',
			'	get total() {',
			`		return [...this.#lines.values()].reduce((sum, { cents, count }) => sum + cents * count, ${index});`,
			'	}',
			'	toJSON() {',
			'		return Object.fromEntries(this.#lines);',
			'	}',
			'}',
			'module.exports = { Cart };'
		].join('\n');
		const tests = Array.from({ length: TESTS_EACH }, (_, test) =>
			[
				`	test('adds ${test + 1} of each', () => {`,
				`		const cart = new Cart().add('pen', 120, ${test + 1}).add('ink', 450, ${test + 1});`,
				`		expect(cart.total).toBe(${570 * (test + 1) + index});`,
				`		expect(JSON.parse(JSON.stringify(cart))).toEqual({ pen: { cents: 120, count: ${test + 1} }, ink: { cents: 450, count: ${test + 1} } });`,
				'	});'
			].join('\n')
		);
		files[`tests/cart-${index}.test.js`] = [
			`const { Cart } = require('../lib/cart-${index}');`,
			`describe('cart ${index}', () => {`,
			...tests,
			'});'
		].join('\n');
	}
	return files;
}

function application(): Record<string, string> {
	const files: Record<string, string> = {
		'index.html':
			'<!doctype html><title>Site</title><div id="root"></div><script type="module" src="/app/main.tsx"></script>\n',
		'vite.config.mjs':
			"import react from '@vitejs/plugin-react';\nexport default { plugins: [react()], logLevel: 'warn' };\n",
		'app/main.tsx': [
			"import { createRoot } from 'react-dom/client';",
			...numbered((index) => `import { Card${index} } from './cards/card-${index}';`),
			"import './site.css';",
			'const cards = [',
			...numbered((index) => `	<Card${index} key="${index}" title="Card ${index}" />,`),
			'];',
			"createRoot(document.getElementById('root')!).render(<main>{cards}</main>);"
		].join('\n'),
		'app/site.css': numbered((index) => `.card-${index} { padding: ${index}px; color: rgb(${index}, 0, 0); }`).join(
			'\n'
		)
	};
	for (let index = 0; index < COMPONENTS; index++) {
		files[`app/cards/card-${index}.tsx`] = [
			"import { useMemo, useState } from 'react';",
			`export interface Card${index}Props { title: string; items?: readonly string[] }`,
			`export function Card${index}({ title, items = ['one', 'two'] }: Card${index}Props) {`,
			'	const [open, setOpen] = useState<boolean>(false);',
			"	const sorted = useMemo(() => [...items].sort((a, b) => a.localeCompare(b)).map((item) => item + ' ' + title), [items, title]);",
			'	return (',
			`		<section className="card-${index}" onClick={() => setOpen((was: boolean) => !was)}>`,
			'			<h2>{title}</h2>',
			'			{open && <ul>{sorted.map((item) => <li key={item}>{item}</li>)}</ul>}',
			'		</section>',
			'	);',
			'}'
		].join('\n');
	}
	return files;
}

const numbered = (line: (index: number) => string): string[] =>
	Array.from({ length: COMPONENTS }, (_, index) => line(index));
