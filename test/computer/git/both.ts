import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { GitInMemory, type GitResult } from './in-memory.ts';

const ENV = {
	GIT_AUTHOR_NAME: 'Ada Lovelace',
	GIT_AUTHOR_EMAIL: 'ada@example.org',
	GIT_COMMITTER_NAME: 'Ada Lovelace',
	GIT_COMMITTER_EMAIL: 'ada@example.org',
	TZ: 'UTC'
};

/** Allows submodules that are cloned from paths, as the settings of the real git do. */
const LOCAL_MODULES = {
	GIT_CONFIG_COUNT: '1',
	GIT_CONFIG_KEY_0: 'protocol.file.allow',
	GIT_CONFIG_VALUE_0: 'always'
};

const START = 1_700_000_000;

/** The same working tree twice: on disk for the real git, in memory for ours. */
export class BothGits {
	readonly root: string;
	readonly disk: string;
	readonly memory = new GitInMemory({ ...ENV, ...LOCAL_MODULES });
	#clock = 0;

	constructor() {
		this.root = fs.mkdtempSync(path.join(os.tmpdir(), 'git-both-'));
		this.disk = path.join(this.root, 'workspace');
		fs.mkdirSync(this.disk);
		fs.mkdirSync(path.join(this.root, 'home'));
	}

	close(): void {
		fs.rmSync(this.root, { recursive: true, force: true });
	}

	/**
	 * Runs one step on both: a line of `write`, `rm`, `mv`, `mkdir`, `chmod`, `link`, `git …`, or `input <text> git …`.
	 * Returns null unless it is a git command.
	 */
	async step(line: string, directory = ''): Promise<{ native: GitResult; ours: GitResult } | null> {
		const [word = '', ...args] = words(line);
		const onDisk = (name: string) => path.join(this.disk, name);
		const inMemory = (name: string) => `/workspace/${name}`;
		const [first = '', second = ''] = args;
		switch (word) {
			case 'write': {
				const bytes = Buffer.from(second, 'latin1');
				fs.mkdirSync(path.dirname(onDisk(first)), { recursive: true });
				fs.writeFileSync(onDisk(first), /[^\0-\xff]/.test(second) ? second : bytes);
				this.memory.write(inMemory(first), /[^\0-\xff]/.test(second) ? second : bytes);
				return null;
			}
			case 'rm':
				fs.rmSync(onDisk(first), { recursive: true });
				this.memory.files.remove(inMemory(first), { recursive: true });
				return null;
			case 'mv':
				fs.renameSync(onDisk(first), onDisk(second));
				this.memory.files.rename(inMemory(first), inMemory(second));
				return null;
			case 'mkdir':
				fs.mkdirSync(onDisk(first), { recursive: true });
				this.memory.files.mkdir(inMemory(first), { recursive: true });
				return null;
			case 'chmod':
				fs.chmodSync(onDisk(second), Number.parseInt(first, 8));
				this.memory.files.chmod(inMemory(second), Number.parseInt(first, 8));
				return null;
			case 'link':
				fs.symlinkSync(first, onDisk(second));
				this.memory.files.symlink(first, inMemory(second));
				return null;
			case 'git':
				return this.git(args, directory);
			case 'input':
				return this.git(args.slice(2), directory, first);
			default:
				throw new Error(`The script has an unknown step: ${line}`);
		}
	}

	async git(args: string[], directory: string, input = ''): Promise<{ native: GitResult; ours: GitResult }> {
		// Each command runs a minute later, so that commits have an order.
		const date = `${START + this.#clock++ * 60} +0000`;
		const dates = { GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date };
		const native = spawnSync('git', args, {
			cwd: path.join(this.disk, directory),
			encoding: 'utf8',
			input,
			env: { ...nativeEnv(this.root), ...ENV, ...dates }
		});
		Object.assign(this.memory.env, dates);
		this.memory.input = new TextEncoder().encode(input);
		const ours = await this.memory.run(['git', ...args], path.posix.join('/workspace', directory).replace(/\/$/, ''));
		const real = fs.realpathSync(this.disk);
		const local = (text: string) => text.replaceAll(real, '/workspace').replaceAll(this.disk, '/workspace');
		return { native: { stdout: local(native.stdout), stderr: local(native.stderr), code: native.status ?? -1 }, ours };
	}

	/** Writes our tree to disk, so that the real git can inspect it. */
	exported(): { dir: string; git: (...args: string[]) => string } {
		const dir = path.join(this.root, `ours-${this.#clock}`);
		this.memory.exportTo('/workspace', dir);
		return { dir, git: (...args) => nativeGit(this.root, dir, ...args) };
	}
}

const nativeEnv = (root: string) => ({
	PATH: process.env['PATH'] ?? '',
	HOME: path.join(root, 'home'),
	GIT_CONFIG_NOSYSTEM: '1',
	LC_ALL: 'C',
	GIT_EDITOR: ':',
	GIT_CONFIG_COUNT: '3',
	GIT_CONFIG_KEY_0: 'init.defaultBranch',
	GIT_CONFIG_VALUE_0: 'main',
	GIT_CONFIG_KEY_1: 'gc.auto',
	GIT_CONFIG_VALUE_1: '0',
	GIT_CONFIG_KEY_2: 'protocol.file.allow',
	GIT_CONFIG_VALUE_2: 'always'
});

export const nativeGit = (root: string, cwd: string, ...args: string[]): string =>
	execFileSync('git', args, { cwd, encoding: 'utf8', env: { ...nativeEnv(root), ...ENV }, maxBuffer: 1 << 28 });

/** Splits like a shell: spaces, single and double quotes with `\n`, `\t`, `\0`, `\xNN` and `\"`. */
export function words(line: string): string[] {
	return [...line.matchAll(/'([^']*)'|"((?:[^"\\]|\\.)*)"|(\S+)/gs)].map(([, single, double, plain]) =>
		double !== undefined
			? double.replace(/\\(x[0-9a-f]{2}|.)/gs, (_, code: string) =>
					code.startsWith('x') && code.length === 3
						? String.fromCharCode(Number.parseInt(code.slice(1), 16))
						: ({ n: '\n', t: '\t', '0': '\0' }[code] ?? code)
				)
			: (single ?? plain ?? '')
	);
}
