import { describe, expect, it, vi } from 'vitest';
import type { DirEntry, ExecResult, ExecutionEnvironment } from '#environment/contract.ts';
import { clone } from '#workspace/import/clone.ts';
import { ImportTracker } from '#workspace/import/progress.ts';

const address = { url: 'https://git.example/a/b', name: 'a/b' };

/** A machine whose git returns this answer, and whose directory then has these files. */
function machine(answer: Partial<ExecResult>, files: Pick<DirEntry, 'path' | 'kind' | 'size'>[] = []) {
	const exec = vi.fn((_command: string, _options: { env: Record<string, string> }) =>
		Promise.resolve({ stdout: '', stderr: '', exitCode: 0, ...answer })
	);
	const environment = {
		exec,
		listDirectory: async (path: string) => (path === '.' ? files : [])
	} as unknown as ExecutionEnvironment;
	return { environment, exec };
}

it('clones the newest commit of a branch, with names that the shell cannot take for commands', async () => {
	const { environment, exec } = machine({});
	await clone(address, environment, { ref: '$(rm -rf .)', tracker: new ImportTracker() });
	await clone(address, environment, { ref: undefined, tracker: new ImportTracker() });
	expect(exec.mock.calls.map(([command]) => command)).toEqual([
		'git clone --quiet --depth 1 --branch "$SANDGLASS_REF" "$SANDGLASS_URL" .',
		'git clone --quiet --depth 1 "$SANDGLASS_URL" .'
	]);
	expect(exec.mock.calls.map(([, { env }]) => env)).toEqual([
		{ SANDGLASS_URL: address.url, SANDGLASS_REF: '$(rm -rf .)' },
		{ SANDGLASS_URL: address.url, SANDGLASS_REF: '' }
	]);
});

it('counts the files of the project and not those of git', async () => {
	const phases: string[] = [];
	const tracker = new ImportTracker(({ phase }) => phases.push(phase));
	const { environment } = machine({}, [
		{ path: 'src', kind: 'directory', size: 9 },
		{ path: 'src/a', kind: 'file', size: 3 },
		{ path: 'link', kind: 'symlink', size: 1 },
		{ path: '.git/config', kind: 'file', size: 100 },
		{ path: '.gitignore', kind: 'file', size: 2 }
	]);
	await clone(address, environment, { ref: undefined, tracker });
	expect([tracker.files, tracker.bytes]).toEqual([3, 6]);
	expect(phases).toEqual(['downloading']);
});

describe('what git says when it fails', () => {
	it.each([
		["error: invalid path 'a/../b'\nfatal: unable to checkout", 'damaged'],
		["note: error: invalid path 'a'", 'server_error'],
		['fatal: could not read: 401', 'private'],
		['The requested URL returned error: 403', 'private'],
		['fatal: Authentication failed', 'private'],
		['remote: Permission denied', 'private'],
		['The requested URL returned error: 404', 'not_found'],
		['fatal: repository not found', 'not_found'],
		['fatal: repository does not exist', 'not_found'],
		['fatal: Could not find remote branch next', 'not_found'],
		['error: RPC failed; HTTP 413', 'too_large'],
		['the pack is too large', 'too_large'],
		['ENOSPC: x', 'too_large'],
		['No space left', 'too_large'],
		['connect ECONNREFUSED', 'no_network'],
		['Could not resolve host', 'no_network'],
		['fatal: unable to access', 'no_network'],
		['a network error', 'no_network'],
		['error: 502', 'no_network'],
		['error: 504', 'no_network'],
		['error: 503', 'server_error'],
		['error: 14040', 'server_error'],
		['', 'server_error']
	])('%j is %s', async (stderr, code) => {
		const { environment } = machine({ exitCode: 128, stderr });
		await expect(clone(address, environment, { ref: undefined, tracker: new ImportTracker() })).rejects.toMatchObject({
			code
		});
	});

	it('is shown by its last three lines, from either output', async () => {
		const failing = (answer: Partial<ExecResult>) =>
			clone(address, machine({ exitCode: 1, ...answer }).environment, { ref: undefined, tracker: new ImportTracker() });
		await expect(failing({ stderr: 'one\ntwo\nthree\nfour\n' })).rejects.toMatchObject({ detail: 'two\nthree\nfour' });
		await expect(failing({ stdout: 'said here' })).rejects.toMatchObject({ detail: 'said here' });
	});

	it('does not matter once the user cancelled', async () => {
		const controller = new AbortController();
		const { environment, exec } = machine({ exitCode: 130 });
		const tracker = new ImportTracker(undefined, controller.signal);
		exec.mockImplementation(() => {
			controller.abort();
			return Promise.resolve({ stdout: '', stderr: '', exitCode: 130 } as ExecResult);
		});
		await expect(clone(address, environment, { ref: undefined, tracker })).rejects.toMatchObject({ code: 'cancelled' });
	});
});
