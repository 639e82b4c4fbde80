import { inputLines } from '../input-lines.ts';
import { fatal } from '../errors.ts';
import type { Invocation } from '../invocation.ts';

const FIELDS = ['protocol', 'host', 'path', 'username', 'password'] as const;
type Field = (typeof FIELDS)[number];

/** User name and password for a location, as far as they are known (git-credential(1), "INPUT/OUTPUT FORMAT"). */
export class Credential {
	readonly fields = new Map<Field, string>();
	/** The user name was part of the request, not of the config. */
	isNamed = false;
	/** A helper requested that no other helpers be asked. */
	isEnded = false;

	/** Reads a request from stdin; null if it is invalid. */
	static read(git: Invocation): Credential | null {
		const found = new Credential();
		return found.take(git, inputLines(git)) ? found : null;
	}

	get(field: Field): string | undefined {
		return this.fields.get(field);
	}

	/** Returns whether both user name and password are known. */
	get isComplete(): boolean {
		return this.fields.has('username') && this.fields.has('password');
	}

	/** Parses lines up to an empty one. Returns whether they are valid. @throws GitError if a URL is invalid */
	take(git: Pick<Invocation, 'err'>, lines: Iterable<string>): boolean {
		for (const line of lines) {
			if (line === '') break;
			const [, key, value] = /^([^=]*)=(.*)$/s.exec(line) ?? [];
			if (key === undefined || value === undefined) {
				git.err(`warning: invalid credential line: ${line}\n`);
				return false;
			}
			const field = FIELDS.find((one) => one === key);
			if (field) this.fields.set(field, value);
			if (field === 'username') this.isNamed = true;
			if (key === 'url') this.#takeUrl(git, value);
			if (key === 'quit') this.isEnded = /^(?:1|true|yes|on)$/i.test(value);
		}
		return true;
	}

	#takeUrl(git: Pick<Invocation, 'err'>, url: string): void {
		const parts = readUrl(url);
		const broken = parts && FIELDS.find((field) => parts.get(field)?.includes('\n'));
		if (broken) git.err(`warning: url contains a newline in its ${broken} component: ${url}\n`);
		if (!parts || broken) throw fatal(`credential url cannot be parsed: ${url}`);
		this.fields.clear();
		for (const [field, value] of parts) this.fields.set(field, value);
		this.isNamed = parts.has('username');
	}

	/** Formats the fields as helpers read and write them. @throws GitError if a value contains a newline */
	text(): string {
		return FIELDS.flatMap((field) => {
			const value = this.fields.get(field);
			if (value === undefined) return [];
			if (value.includes('\n')) throw fatal(`credential value for ${field} contains newline`);
			return [`${field}=${value}\n`];
		}).join('');
	}

	/** Location as shown to users: without a password, with the user name if known. */
	place(): string {
		const [protocol, host, path, name] = (['protocol', 'host', 'path', 'username'] as const).map((field) =>
			this.get(field)
		);
		const user = name === undefined ? '' : `${encodeURIComponent(name)}@`;
		return `${protocol ?? ''}://${user}${host ?? ''}${path === undefined ? '' : `/${path}`}`;
	}
}

/** Parts of a URL; null if it is invalid. @param mayLack allows a partial URL */
export function readUrl(url: string, mayLack = false): Map<Field, string> | null {
	const [, protocol, rest = url] = /^([^:/]*):\/\/(.*)$/s.exec(url) ?? [];
	if (!mayLack && (protocol === undefined || protocol === '')) return null;
	const parts = new Map<Field, string>();
	if (protocol !== undefined && protocol !== '') parts.set('protocol', protocol);
	const end = rest.search(/[/?#]/);
	const authority = end < 0 ? rest : rest.slice(0, end);
	const at = authority.lastIndexOf('@');
	if (at >= 0) {
		const [name = '', ...secret] = authority.slice(0, at).split(':');
		parts.set('username', decoded(name));
		if (secret.length > 0) parts.set('password', decoded(secret.join(':')));
	}
	const host = decoded(authority.slice(at + 1));
	if (!mayLack || host !== '') parts.set('host', host);
	const path = end < 0 ? '' : rest.slice(end).replace(/^\/+/, '').replace(/\/+$/, '');
	if (path !== '') parts.set('path', decoded(path));
	return parts;
}

function decoded(text: string): string {
	try {
		return decodeURIComponent(text);
	} catch {
		// Invalid UTF-8 is left as is.
		return text;
	}
}
