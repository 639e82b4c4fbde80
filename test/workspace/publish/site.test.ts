import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { unzipSync } from 'fflate';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { LocalExecutionEnvironment } from '#environment/local/index.ts';
import { findSites, pagesAddress, pushSite, zipSite } from '#workspace/publish/site.ts';
import { startGitServer, type GitServer } from '#test/git-server.ts';

const root = mkdtempSync(path.join(tmpdir(), 'site-'));
const git = (...args: string[]) => execFileSync('git', args, { cwd: path.join(root, 'site.git'), encoding: 'utf8' });
let server: GitServer;
let environment: LocalExecutionEnvironment;

beforeAll(async () => {
	execFileSync('git', ['init', '-q', '--bare', '-b', 'main', 'site.git'], { cwd: root });
	server = await startGitServer(root);
	mkdirSync(path.join(root, 'here'));
	environment = new LocalExecutionEnvironment({ workingDirectory: path.join(root, 'here') });
	await environment.initialize();
	const files = {
		'.gitignore': 'dist/\nnode_modules/\n',
		'index.html': 'source',
		'node_modules/p/index.html': 'package',
		'dist/index.html': 'built',
		'dist/assets/a.js': 'a()',
		'dist/_x/b.js': 'b()',
		// A name that no import may contain, created by a program.
		'dist/C:': 'drive',
		'dist/.env': 'SECRET=1',
		'dist/.well-known/x': 'known'
	};
	for (const [name, content] of Object.entries(files)) await environment.writeFile(name, content);
	await environment.exec('chmod +x dist/_x/b.js && ln -s index.html dist/link.html && mkdir dist/empty');
});
afterAll(async () => {
	await environment.cleanup();
	await server.close();
	rmSync(root, { recursive: true });
});

const push = (author?: { name: string; email: string }, options?: Parameters<typeof pushSite>[2]) =>
	pushSite(
		environment,
		{ url: `${server.url}/site.git`, branch: 'gh-pages', folder: 'dist', message: 'Site', author },
		options
	);

/** Temporary folders created by pushes. */
const temporary = async (): Promise<string> =>
	(await environment.exec('ls /tmp | grep "^site-[0-9a-f]*-[0-9a-f]*-" || true')).stdout;

describe('a built site', () => {
	it('is found in the folders that builds write to, although git ignores them', async () => {
		expect(await findSites(environment)).toEqual([
			{ folder: 'dist', files: 5, bytes: 21 },
			{ folder: '', files: 6, bytes: 27 }
		]);
	});

	it('is zipped with its page at the top, without hidden files', async () => {
		const names = Object.keys(unzipSync(await zipSite(environment, 'dist'))).sort();
		expect(names).toEqual(['.well-known/x', 'C:', '_x/b.js', 'assets/a.js', 'index.html']);
	});

	it('becomes the whole of a branch, and later its next commit', async () => {
		const steps: string[] = [];
		const before = await temporary();
		const commit = await push(
			{ name: 'Ada', email: 'ada@example.org' },
			{
				onStep: (step) => steps.push(step),
				onPush: (id) => steps.push(id, git('branch', '--list'))
			}
		);
		expect(git('rev-parse', 'gh-pages').trim()).toBe(commit);
		expect(steps).toEqual(['fetching', 'committing', 'pushing', commit, '']);
		expect(git('ls-tree', '-r', 'gh-pages', '_x/b.js')).toMatch(/^100755 blob/);
		expect(git('log', '--format=%an %s', 'gh-pages')).toBe('Ada Site\n');
		expect(git('ls-tree', '-r', '--name-only', 'gh-pages').trim().split('\n')).toEqual([
			'.nojekyll',
			'.well-known/x',
			'C:',
			'_x/b.js',
			'assets/a.js',
			'index.html'
		]);
		await expect(push()).rejects.toMatchObject({ code: 'publish_nothing' });

		await environment.remove('dist/assets', { recursive: true });
		await environment.writeFile('dist/index.html', 'built again');
		await push({ name: 'Ada', email: 'ada@example.org' });
		expect(git('rev-list', '--count', 'gh-pages').trim()).toBe('2');
		expect(git('show', 'gh-pages:index.html')).toBe('built again');
		expect(git('ls-tree', '-r', '--name-only', 'gh-pages')).not.toContain('assets');
		// None of its files are left in the shared folder for temporary files.
		expect(await temporary()).toEqual(before);
	});

	it('is not pushed once the user cancelled, whatever that was at', async () => {
		const exec = vi.spyOn(environment, 'exec');
		onTestFinished(() => exec.mockRestore());
		const before = git('for-each-ref');
		await environment.writeFile('dist/index.html', 'built once more');
		for (const at of ['fetching', 'committing', 'pushing']) {
			exec.mockClear();
			const cancel = new AbortController();
			const onStep = (step: string): void => void (step === at && cancel.abort());
			await expect(push(undefined, { onStep, signal: cancel.signal })).rejects.toMatchObject({ name: 'AbortError' });
			const commands = exec.mock.calls.filter(([command]) => !command.startsWith('rm '));
			expect(commands.every(([, options]) => options?.signal === cancel.signal)).toBe(true);
			expect(existsSync(exec.mock.lastCall?.[1]?.env?.['WORK'] ?? '/')).toBe(false);
		}
		expect(git('for-each-ref')).toBe(before);
	});

	it('says why it could not be pushed', async () => {
		const nowhere = { url: `${server.url}/none.git`, branch: 'gh-pages', folder: 'dist', message: 'Site' };
		const steps: string[] = [];
		const onStep = (step: string): void => void steps.push(step);
		await expect(pushSite(environment, nowhere, { onStep })).rejects.toMatchObject({
			name: 'PublishError',
			code: 'request_not_found'
		});
		expect(steps).toEqual(['fetching']);
	});

	it('is shown by GitHub under the names of its owner and repository', () => {
		expect(pagesAddress('github.com', 'Ada/engine')).toBe('https://ada.github.io/engine/');
		expect(pagesAddress('github.com', 'ada/ada.github.io')).toBe('https://ada.github.io/');
		for (const [host, repository] of [
			['git.example.org', 'ada/engine'],
			['github.com', '/engine'],
			['github.com', 'ada/'],
			['github.com', 'ada'],
			['github.com', '']
		] as const)
			expect(pagesAddress(host, repository)).toBe(null);
	});
});
