import { absolute, dirname } from '#computer/abi/paths.ts';
import { decode, encode } from '../bytes.ts';
import { Credential, readUrl } from '../credential/credential.ts';
import { fatal, GitError } from '../errors.ts';
import { isSyscallError } from '#computer/abi/client.ts';
import type { Command, Invocation } from '../invocation.ts';
import { missingAsNull } from '../objects/store.ts';
import { parseOptions } from '../options.ts';

const USAGE = 'credential-store [<options>] <action>';

/** `git credential-store`: stores user names and passwords unencrypted in a file. */
export const credentialStore: Command = (git, args) => {
	const options = parseOptions(USAGE, args, { file: '--file =' });
	const [action, ...more] = options.operands;
	if (action === undefined || more.length > 0) throw new GitError(`usage: git ${USAGE}`, 129);
	const asked = Credential.read(git);
	if (!asked) throw fatal('unable to read credential');
	const files = filesOf(git, options.get('file'));
	if (action === 'get') {
		for (const file of files) {
			const found = kept(git, file)
				.map(({ credential }) => credential)
				.find((one) => one && fits(one, asked));
			if (!found) continue;
			git.out(`username=${found.get('username') ?? ''}\npassword=${found.get('password') ?? ''}\n`);
			break;
		}
	} else if (action === 'store') store(git, files, asked);
	// Without any field to match, all credentials would be erased.
	else if (action === 'erase' && asked.fields.size > 0)
		for (const file of files) if (git.context.sync.statOrNull(file)) rewrite(git, file, asked, null, true);
	return 0;
};

/** Files with credentials, in search order. */
function filesOf({ cwd, env }: Invocation, named: string | undefined): string[] {
	const home = env['HOME'] ?? '/home/user';
	if (named !== undefined) return [absolute(named.replace(/^~(?=\/)/, home), cwd)];
	return [`${home}/.git-credentials`, `${env['XDG_CONFIG_HOME'] || `${home}/.config`}/git/credentials`];
}

interface KeptLine {
	line: string;
	/** Null if the line is not a credential. */
	credential: Credential | null;
}

/** Lines of a file; none if it cannot be read. */
function kept({ context }: Invocation, file: string): KeptLine[] {
	const lines = decode(readOrNothing(() => context.sync.readFile(file))).split('\n');
	return lines.filter((line) => line !== '').map((line) => ({ line, credential: credentialOf(line) }));
}

function readOrNothing(read: () => Uint8Array): Uint8Array {
	try {
		return missingAsNull(read) ?? new Uint8Array(0);
	} catch (error) {
		if (isSyscallError(error) && error.code === 'EACCES') return new Uint8Array(0);
		throw error;
	}
}

function credentialOf(line: string): Credential | null {
	const parts = readUrl(line);
	if (!parts?.has('username') || !parts.has('password')) return null;
	const found = new Credential();
	for (const [field, value] of parts) found.fields.set(field, value);
	return found;
}

/** Returns whether a credential matches all the requested fields. */
const fits = (one: Credential, asked: Credential): boolean =>
	(['protocol', 'host', 'path', 'username'] as const).every(
		(field) => asked.get(field) === undefined || asked.get(field) === one.get(field)
	);

function store(git: Invocation, files: readonly string[], asked: Credential): void {
	const [protocol, host, path] = [asked.get('protocol'), asked.get('host'), asked.get('path')];
	const [name, password] = [asked.get('username'), asked.get('password')];
	if (protocol === undefined || (host === undefined && path === undefined)) return;
	if (name === undefined || password === undefined) return;
	const escaped = (text: string, kept = /[^A-Za-z0-9_.~-]/g) =>
		text.replace(kept, (letter) =>
			[...encode(letter)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('')
		);
	const place = `${host === undefined ? '' : escaped(host)}${path === undefined ? '' : `/${escaped(path, /[^A-Za-z0-9_.~/-]/gu)}`}`;
	const line = `${protocol}://${escaped(name)}:${escaped(password)}@${place}`;
	const file = files.find((one) => git.context.sync.statOrNull(one)) ?? files[0] ?? '';
	rewrite(git, file, asked, line, false);
}

/**
 * Rewrites a file without matching credentials, and with `line` (if any) at the start.
 *
 * @param comparesLess whether credentials of any user match if no user name is given
 */
function rewrite(git: Invocation, file: string, asked: Credential, line: string | null, comparesLess: boolean): void {
	const { sync } = git.context;
	const isGone = (one: Credential | null): boolean =>
		one !== null && fits(one, asked) && (comparesLess || one.get('username') === asked.get('username'));
	const left = kept(git, file).filter(({ credential }) => !isGone(credential));
	const lines = [...(line === null ? [] : [line]), ...left.map((one) => one.line)];
	sync.mkdir(dirname(file), { recursive: true });
	sync.remove(file, { force: true });
	sync.writeFile(file, encode(lines.map((one) => `${one}\n`).join('')), { mode: 0o600 });
}
