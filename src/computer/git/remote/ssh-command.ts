import type { Config } from '../config/config.ts';
import { fatal } from '../errors.ts';
import type { Invocation } from '../invocation.ts';
import { shellWords } from '../shell-words.ts';
import type { ServiceCommand } from './command-carrier.ts';

/** Program for ssh by the options that it understands. */
type Variant = 'ssh' | 'simple' | 'plink' | 'putty' | 'tortoiseplink';

/** Choice of the version of the internet protocol. */
export type AddressFamily = '-4' | '-6';

/** A command line on another host. */
interface RemoteLine {
	/** Name of the host, with the user if the address has one. */
	host: string;
	port: string | null;
	line: string;
	family: AddressFamily | undefined;
}

/**
 * Program and arguments that run a command line on another host, by `GIT_SSH_COMMAND`, `core.sshCommand` or `GIT_SSH`;
 * null if none of them is set.
 *
 * @throws GitError if the program does not understand an option that is needed
 */
export function sshCommand(
	git: Invocation,
	config: Config,
	{ host, port, line, family }: RemoteLine
): ServiceCommand | null {
	if (host.startsWith('-')) throw fatal(`strange hostname '${host}' blocked`);
	const { env } = git;
	const text = env['GIT_SSH_COMMAND'] ?? config.get('core.sshcommand');
	const program = env['GIT_SSH'];
	if (text === undefined && program === undefined) return null;
	const argv = text === undefined ? [program!] : ['sh', '-c', `${text} "$@"`, text];
	const name = text === undefined ? program! : (shellWords(text)[0] ?? '');
	const options = (variant: Variant) => optionsOf(variant, port, family);
	const variant = configured(env['GIT_SSH_VARIANT'] ?? config.get('ssh.variant')) ?? variantNamed(name) ?? detected();
	return { argv: [...argv, ...options(variant), host, line] };

	/** OpenSSH and what is like it can print its configuration for a host. */
	function detected(): Variant {
		const { sync } = git.context;
		git.flush();
		const pid = sync.spawn({
			argv: ['sh', '-c', '"$@"', 'sh', ...argv, '-G', ...options('ssh'), host],
			cwd: git.cwd,
			env,
			stdin: 'null',
			stdout: 'null',
			stderr: 'null'
		});
		return sync.waitPid(pid).code === 0 ? 'ssh' : 'simple';
	}
}

/** Variant by the setting; null if it is to be found out. */
function configured(value: string | undefined): Variant | null {
	switch (value) {
		case undefined:
		case 'auto':
			return null;
		case 'plink':
		case 'putty':
		case 'tortoiseplink':
		case 'simple':
			return value;
		default:
			return 'ssh';
	}
}

function variantNamed(program: string): Variant | null {
	const [, name] = /^(ssh|plink|tortoiseplink)(?:\.exe)?$/i.exec(program.split('/').at(-1) ?? '') ?? [];
	return name === undefined ? null : (name.toLowerCase() as Variant);
}

function optionsOf(variant: Variant, port: string | null, family: AddressFamily | undefined): string[] {
	if (variant === 'simple') {
		if (family !== undefined) throw fatal(`ssh variant 'simple' does not support ${family}`);
		if (port !== null) throw fatal("ssh variant 'simple' does not support setting port");
	}
	return [
		...(family === undefined ? [] : [family]),
		...(variant === 'tortoiseplink' ? ['-batch'] : []),
		...(port === null ? [] : [variant === 'ssh' ? '-p' : '-P', port])
	];
}
