import { describe, expect, it } from 'vitest';
import type { ExecutionEnvironment } from '#environment/contract.ts';
import { findEntries } from '#page/preview/entries.ts';
import { isElsewhere, join, SiteFiles } from '#page/preview/site-files.ts';

function environmentWith(files: readonly string[]): ExecutionEnvironment {
	const known: Partial<ExecutionEnvironment> = {
		stat: async (path) => {
			if (!files.includes(path)) throw new Error('ENOENT');
			return { kind: 'file', size: 1, mode: 0o644, modifiedMs: 0 };
		},
		listDirectory: async () =>
			files.map((path) => ({ path, kind: 'file' as const, size: 1, mode: 0o644, modifiedMs: 0 }))
	};
	return known as ExecutionEnvironment;
}

describe('the files of a site', () => {
	const files = new SiteFiles(
		environmentWith(['site/index.html', 'site/css/a.css', 'site/my pic.png', 'logo.svg', 'public/icon.png']),
		'site/index.html'
	);

	it('are found beside the file that names them, and from the root in the site, the project and public', async () => {
		expect(await files.find('css/a.css?v=1#x', 'site/index.html')).toBe('site/css/a.css');
		expect(await files.find('../my%20pic.png', 'site/css/a.css')).toBe('site/my pic.png');
		expect(await files.find('/css/a.css', 'site/css/a.css')).toBe('site/css/a.css');
		expect(await files.find('/logo.svg', 'site/index.html')).toBe('logo.svg');
		expect(await files.find('/icon.png', 'site/index.html')).toBe('public/icon.png');
	});

	it('are no others: nothing elsewhere, nothing above the project, nothing that is not there', async () => {
		for (const address of [
			'https://example.org/a.css',
			'//example.org/a',
			'data:,x',
			'#top',
			'',
			'../../../etc/passwd',
			'no.css'
		])
			expect([address, await files.find(address, 'site/index.html')]).toEqual([address, null]);
		expect(isElsewhere('mailto:a@b')).toBe(true);
		expect(join('a/b', '../c/./d')).toBe('a/c/d');
		expect(join('a', '../../b')).toBeNull();
	});
});

describe('what can be shown', () => {
	it('is index.html first, then that of public and dist, then the shallowest; the open one before all', async () => {
		const environment = environmentWith([
			'about.html',
			'dist/index.html',
			'docs/a/b.html',
			'index.html',
			'node_modules/x/demo.html',
			'public/index.html',
			'src/main.ts'
		]);
		const all = ['index.html', 'public/index.html', 'dist/index.html', 'about.html', 'docs/a/b.html'];
		expect(await findEntries(environment, null)).toEqual(all);
		expect(await findEntries(environment, 'docs/a/b.html')).toEqual(['docs/a/b.html', ...all.slice(0, -1)]);
		expect(await findEntries(environment, 'src/main.ts')).toEqual(all);
	});

	it('is src/main where there is no document', async () => {
		expect(await findEntries(environmentWith(['src/main.tsx', 'src/other.ts', 'package.json']), null)).toEqual([
			'src/main.tsx'
		]);
	});
});
