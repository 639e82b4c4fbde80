import { encode } from '../bytes.ts';
import { fatal } from '../errors.ts';
import type { Repository } from '../repository.ts';
import { Attributes } from './attributes.ts';
import { conversionRule, lineEndSettings, type ConversionRule, type LineEndSettings } from './conversion-rules.ts';
import { withIds, withoutIds } from './keywords.ts';
import { countBytes, looksBinary, withCrlf, withLf, type ByteCounts } from './line-ends.ts';
import { fromUtf8, markFault, toUtf8 } from './text-encoding.ts';

/** Purpose of a conversion into stored form. */
export type StorePurpose =
	/** For a comparison: content that is invalid in its encoding is left as it is. */
	| 'compare'
	/** For storing: line endings that a checkout would not restore cause a warning or an error (`core.safecrlf`). */
	| 'keep'
	/** For normalizing line endings as attributes require, whatever is stored. */
	| 'renormalize'
	/** For applying a patch that contains CRLF itself. */
	| 'keep line ends';

/**
 * Source of the attributes for writing files: after a switch, the new index comes first; as long as there are no files,
 * only the index is used.
 */
export type WrittenBy = 'index' | 'index first' | 'files first';

/** Converts contents between working tree and stored form, by attributes and settings. */
class Conversion {
	readonly #settings: LineEndSettings;

	constructor(private readonly repository: Repository) {
		this.#settings = lineEndSettings(repository.config);
	}

	readonly #attributes = new Map<WrittenBy, Attributes>();

	#by(place: WrittenBy): Attributes {
		const attributes = this.#attributes.get(place) ?? new Attributes(this.repository, place);
		this.#attributes.set(place, attributes);
		return attributes;
	}

	/** Attributes for reading files: those of the working tree come first. */
	get reader(): Attributes {
		return this.#by('files first');
	}

	forget(): void {
		this.#attributes.clear();
	}

	rule(path: string, attributes = this.reader): ConversionRule {
		return conversionRule(attributes.of(path), this.#settings);
	}

	toStore(path: string, content: Uint8Array, purpose: StorePurpose): Uint8Array {
		if (content.length === 0) return content;
		const rule = this.rule(path);
		const text = rule.encoding === null ? content : this.#decoded(path, content, rule.encoding, purpose);
		const lines = purpose === 'keep line ends' ? text : this.#withLf(path, text, rule, purpose);
		return rule.hasKeywords ? withoutIds(lines) : lines;
	}

	toWorktree(path: string, content: Uint8Array, place: WrittenBy): Uint8Array {
		return this.toWorktreeBy(path, content, this.#by(place));
	}

	/** Converts content like {@link toWorktree}, with attributes from another source. */
	toWorktreeBy(path: string, content: Uint8Array, attributes: Attributes): Uint8Array {
		if (content.length === 0) return content;
		const rule = this.rule(path, attributes);
		const named = rule.hasKeywords ? withIds(content) : content;
		const counts = rule.kind === 'binary' || rule.eol === 'lf' ? null : countBytes(named);
		const lines = counts && getsCrlf(counts, rule) ? withCrlf(named, counts.loneLf) : named;
		if (rule.encoding === null) return lines;
		const encoded = fromUtf8(rule.encoding, lines);
		if (!encoded) this.#say(`error: failed to encode '${path}' from UTF-8 to ${rule.encoding}`);
		return encoded ?? lines;
	}

	/** @throws GitError if content to store is invalid in the encoding */
	#decoded(path: string, content: Uint8Array, encoding: string, purpose: StorePurpose): Uint8Array {
		const fault = markFault(encoding, path, content);
		const made = fault ? null : toUtf8(encoding, content);
		if (made) return made;
		if (fault) this.#say(`hint: ${fault.hint}`);
		const message = fault?.error ?? `failed to encode '${path}' from ${encoding} to UTF-8`;
		if (purpose === 'keep') throw fatal(message);
		this.#say(`error: ${message}`);
		return content;
	}

	#withLf(path: string, content: Uint8Array, rule: ConversionRule, purpose: StorePurpose): Uint8Array {
		if (rule.kind === 'binary') return content;
		const counts = countBytes(content);
		if (rule.kind === 'auto' && looksBinary(counts)) return content;
		// Content stored with CRLF keeps it until it is normalized explicitly.
		const isKept = rule.kind === 'auto' && purpose !== 'renormalize' && counts.crlf > 0 && this.#hasStoredCrlf(path);
		const converts = counts.crlf > 0 && !isKept;
		if (purpose === 'keep' && this.#settings.safety !== 'ignore') this.#checkReturn(path, counts, converts, rule);
		return converts ? withLf(content) : content;
	}

	/** Warns of line endings that a checkout would not restore. @throws GitError if settings forbid them */
	#checkReturn(path: string, before: ByteCounts, converts: boolean, rule: ConversionRule): void {
		const after = converts ? { ...before, loneLf: before.loneLf + before.crlf, crlf: 0 } : { ...before };
		if (getsCrlf(after, rule)) {
			after.crlf += after.loneLf;
			after.loneLf = 0;
		}
		const lost =
			before.crlf > 0 && after.crlf === 0
				? (['CRLF', 'LF'] as const)
				: before.loneLf > 0 && after.loneLf === 0
					? (['LF', 'CRLF'] as const)
					: null;
		if (!lost) return;
		const [from, to] = lost;
		if (this.#settings.safety === 'refuse') throw fatal(`${from} would be replaced by ${to} in ${path}`);
		this.#say(
			`warning: in the working copy of '${path}', ${from} will be replaced by ${to} the next time Git touches it`
		);
	}

	#hasStoredCrlf(path: string): boolean {
		const { index, objects } = this.repository;
		const entry = index.get(path) ?? index.get(path, 2);
		const stored = entry && objects.find(entry.id);
		if (stored?.type !== 'blob' || !stored.content.includes(0x0d)) return false;
		const counts = countBytes(stored.content);
		return counts.crlf > 0 && !looksBinary(counts);
	}

	#say(text: string): void {
		this.repository.files.write(2, encode(`${text}\n`));
	}
}

/** Returns whether LF becomes CRLF in the working tree. */
function getsCrlf(counts: ByteCounts, rule: ConversionRule): boolean {
	if (rule.kind === 'binary' || rule.eol !== 'crlf' || counts.loneLf === 0) return false;
	return rule.kind === 'text' || (counts.loneCr === 0 && counts.crlf === 0 && !looksBinary(counts));
}

const known = new WeakMap<Repository, Conversion>();

/** Converter of a repository. */
export function conversionOf(repository: Repository): Conversion {
	let conversion = known.get(repository);
	if (!conversion) known.set(repository, (conversion = new Conversion(repository)));
	return conversion;
}

/** Discards cached attributes after an attributes file was written. */
export function noteWritten(repository: Repository, path: string): void {
	if (path.endsWith('.gitattributes')) known.get(repository)?.forget();
}
