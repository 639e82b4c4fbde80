import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startGitServer } from '#test/git-server.ts';

export interface Repositories {
	/** Base URL for git, without a trailing slash; repositories are below it by name. */
	url: string;
	/** `host:port`, for `SANDGLASS_ALLOW_HOSTS`. */
	host: string;
	/** The commit of `main` of a repository. */
	head(name: string): string;
	/** That commit's tree. */
	tree(name: string): string;
	close(): Promise<void>;
}

/**
 * Real repositories, served by `git http-backend`.
 *
 * @param repositories name → path → content; one commit on `main` each
 */
export async function serveRepositories(
	repositories: Record<string, Record<string, string | Uint8Array>>
): Promise<Repositories> {
	const root = mkdtempSync(path.join(tmpdir(), 'repositories-'));
	for (const [name, files] of Object.entries(repositories)) {
		const folder = path.join(root, name);
		const git = (...args: string[]) => execFileSync('git', args, { cwd: folder });
		mkdirSync(folder);
		git('init', '-q', '-b', 'main');
		for (const [file, content] of Object.entries(files)) {
			mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
			writeFileSync(path.join(folder, file), content);
		}
		git('add', '-A');
		git('-c', 'user.name=Test', '-c', 'user.email=test@example.org', 'commit', '-q', '-m', 'First');
	}
	const parse = (name: string, revision: string) =>
		execFileSync('git', ['rev-parse', revision], { cwd: path.join(root, name), encoding: 'utf8' }).trim();
	const server = await startGitServer(root);
	return {
		url: server.url.replace(/\/$/, ''),
		host: new URL(server.url).host,
		head: (name) => parse(name, 'HEAD'),
		tree: (name) => parse(name, 'HEAD^{tree}'),
		async close() {
			await server.close();
			rmSync(root, { recursive: true });
		}
	};
}
