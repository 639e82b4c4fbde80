import { encode } from '../bytes.ts';
import { ansiColor } from '../config/ansi-color.ts';
import { binaryText } from '../diff/lines.ts';
import { fatal, GitError } from '../errors.ts';
import type { Repository } from '../repository.ts';
import { linkedTrees } from '../worktree/linked.ts';
import { followedField } from './followed-field.ts';
import type { Field, FieldValue, ListedRef } from './listed-ref.ts';
import { idForm, objectField, type ListedObject } from './object-field.ts';
import { nameForm } from './ref-name-field.ts';

/** Fields of refs by their names in formats: `refname:short`, `*authordate:iso`. */
export class RefFields {
	readonly #fields = new Map<string, Field>();
	#object: ListedObject | undefined;
	#trees: ReadonlyMap<string, string> | undefined;

	constructor(
		private readonly repository: Repository,
		private readonly isColored: boolean
	) {}

	/** @throws GitError for an unknown field */
	field(text: string): Field {
		let field = this.#fields.get(text);
		if (!field) this.#fields.set(text, (field = this.#read(text)));
		return field;
	}

	#read(text: string): Field {
		const [, star = '', name = '', option] = /^(\*?)([^:]*)(?::(.*))?$/s.exec(text) ?? [];
		if (name === '' && option === undefined) throw fatal(`malformed field name: ${text}`);
		// As in git, an empty option after the colon is the same as no colon.
		const given = option === '' ? undefined : option;
		const ofRef = this.#refField(name, given);
		if (ofRef !== null) {
			const isName = star !== '' && (name === 'refname' || name === 'symref');
			return (ref) => ({ text: binaryText(encode(ofRef(ref) + (isName ? '^{}' : ''))) });
		}
		if (name === 'objectname') {
			const form = idForm(this.repository, text, given);
			const own = ({ id }: ListedRef): FieldValue => ({ text: form(id) });
			return star === '' ? own : (ref) => this.#ofTarget(ref, ({ id }) => ({ text: form(id) }));
		}
		const ofObject = objectField(this.repository, name, given);
		if (ofObject === null) throw fatal(`unknown field name: ${text}`);
		return star === '' ? (ref) => ofObject(this.#objectOf(ref.id, ref.name)) : (ref) => this.#ofTarget(ref, ofObject);
	}

	/** Field of the ref itself; null for a field of its object. */
	#refField(name: string, option: string | undefined): ((ref: ListedRef) => string) | null {
		const { repository } = this;
		switch (name) {
			case 'refname': {
				const form = nameForm(repository, name, option);
				return (ref) => ref.description ?? form(ref.name);
			}
			case 'symref': {
				const form = nameForm(repository, name, option);
				return (ref) => (this.#isSymbolic(ref) ? form(repository.refs.target(ref.name)) : '');
			}
			case 'upstream':
			case 'push': {
				const followed = followedField(repository, name, option);
				return (ref) => followed(ref.name);
			}
			case 'HEAD': {
				const head = repository.refs.symbolic('HEAD') ?? 'HEAD';
				return (ref) => (ref.name === head ? '*' : ' ');
			}
			case 'flag':
				return (ref) => this.#flagsOf(ref);
			case 'worktreepath':
				return (ref) => this.#treeOf(ref);
			case 'color':
				return this.#color(option);
			default:
				return null;
		}
	}

	#color(option: string | undefined): () => string {
		if (option === undefined) throw fatal('expected format: %(color:<color>)');
		const color = ansiColor(option);
		if (color === null) throw fatal(`unrecognized color: %(color:${option})`);
		return () => (this.isColored ? color : '');
	}

	#isSymbolic(ref: ListedRef): boolean {
		return ref.name !== 'HEAD' && this.repository.refs.symbolic(ref.name) !== null;
	}

	#flagsOf(ref: ListedRef): string {
		const flags = this.#isSymbolic(ref) ? ['symref'] : [];
		return [...flags, ...(this.repository.refs.isPacked(ref.name) ? ['packed'] : [])].join(',');
	}

	#treeOf({ name }: ListedRef): string {
		this.#trees ??= new Map(
			linkedTrees(this.repository).flatMap(({ branch, path }) => (branch === null ? [] : [[branch, path] as const]))
		);
		return name.startsWith('refs/heads/') ? (this.#trees.get(name) ?? '') : '';
	}

	/** Value of a field for the target of a tag; '' if the object is not a tag. */
	#ofTarget(ref: ListedRef, field: (object: ListedObject) => FieldValue): FieldValue {
		const tag = this.#objectOf(ref.id, ref.name);
		if (tag.type !== 'tag') return { text: '' };
		const [, id = '', said] = /^object ([0-9a-f]{40})\ntype (.*)\n/.exec(tag.content) ?? [];
		const target = this.#objectOf(id, ref.name);
		if (said !== target.type)
			throw new GitError(
				`error: object ${id} is a ${target.type}, not a ${said}\nerror: bad tag pointer to ${id} in ${ref.id}\n` +
					`fatal: parse_object_buffer failed on ${ref.id} for ${ref.name}`,
				128
			);
		return field(target);
	}

	/** @throws GitError if it is missing */
	#objectOf(id: string, name: string): ListedObject {
		if (this.#object?.id === id) return this.#object;
		const found = this.repository.objects.find(id);
		if (!found) throw fatal(`missing object ${id} for ${name}`);
		return (this.#object = { id, type: found.type, content: binaryText(found.content) });
	}
}
