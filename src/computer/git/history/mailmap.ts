import { absolute } from '#computer/abi/paths.ts';
import { decode, encode } from '../bytes.ts';
import { missingAsNull } from '../objects/store.ts';
import { findRevision } from '../refs/revision.ts';
import type { Repository } from '../repository.ts';

/** Name and address of a person. */
export interface Person {
	name: string;
	email: string;
}

/** Proper name and address, as far as a line gives them. */
interface Proper {
	name?: string;
	email?: string;
}

interface Entry {
	/** Mapping for everyone with the address. */
	simple: Proper;
	/** Mappings by the name used with the address. */
	byName: Map<string, Proper>;
}

/** Canonical names and addresses of people, as in gitmailmap(5). */
export class Mailmap {
	readonly #entries = new Map<string, Entry>();

	add(text: string): void {
		for (const line of text.split('\n')) if (!line.startsWith('#')) this.#addLine(line);
	}

	#addLine(line: string): void {
		const [, firstName = '', firstEmail, rest = ''] = /^([^<]*)<([^>]+)>(.*)$/s.exec(line) ?? [];
		if (firstEmail === undefined) return;
		const [, secondName = '', secondEmail] = /^([^<]*)<([^>]*)>/s.exec(rest) ?? [];
		const old = (secondEmail ?? firstEmail).toLowerCase();
		let entry = this.#entries.get(old);
		if (!entry) this.#entries.set(old, (entry = { simple: {}, byName: new Map() }));
		const name = firstName.trim();
		const proper: Proper = {
			...(name === '' ? {} : { name }),
			...(secondEmail === undefined ? {} : { email: firstEmail })
		};
		const oldName = secondName.trim();
		if (oldName === '') entry.simple = { ...entry.simple, ...proper };
		else entry.byName.set(oldName.toLowerCase(), proper);
	}

	/** Replaces a person's name and address with the canonical ones. */
	mapped<P extends Person>(person: P): P {
		const entry = this.#entries.get(person.email.toLowerCase());
		if (!entry) return person;
		return { ...person, ...(entry.byName.get(person.name.toLowerCase()) ?? entry.simple) };
	}
}

/** Reads `.mailmap`, `mailmap.blob` and `mailmap.file`. */
function readMailmap(repository: Repository): Mailmap {
	const { config, files, objects } = repository;
	const mailmap = new Mailmap();
	const read = (path: string): void => {
		const bytes = missingAsNull(() => files.readFile(path));
		if (bytes) mailmap.add(decode(bytes));
	};
	// A link is not followed: it could lead outside the repository.
	if (!repository.isBare && missingAsNull(() => files.lstat(repository.absolute('.mailmap')))?.kind === 'file')
		read(repository.absolute('.mailmap'));
	const blob = config.get('mailmap.blob') ?? (repository.isBare ? 'HEAD:.mailmap' : undefined);
	const id = blob === undefined ? null : findRevision(repository, blob);
	const object = id === null ? null : objects.find(id);
	if (object?.type === 'blob') mailmap.add(decode(object.content));
	else if (object) files.write(2, encode(`error: mailmap is not a blob: ${blob}\n`));
	const file = config.get('mailmap.file');
	if (file !== undefined) {
		const home = repository.env['HOME'] ?? '/home/user';
		read(absolute(file.replace(/^~(?=\/)/, home), repository.root));
	}
	return mailmap;
}

const known = new WeakMap<Repository, Mailmap>();

/** Mailmap of the repository, read once. */
export function mailmapOf(repository: Repository): Mailmap {
	let mailmap = known.get(repository);
	if (!mailmap) known.set(repository, (mailmap = readMailmap(repository)));
	return mailmap;
}
