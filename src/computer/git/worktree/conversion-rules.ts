import type { Config } from '../config/config.ts';
import { booleanOf } from '../config/values.ts';
import { fatal } from '../errors.ts';
import type { Attribute } from './attributes.ts';
import { isUtf8Name } from '../encoded-text.ts';

/**
 * Treatment of a path's line endings: converts none (`binary`), all (`text`) or those of content that looks like text
 * (`auto`); `eol` is the line ending in the working tree, if attributes set it.
 */
export interface LineEndRule {
	kind: 'binary' | 'text' | 'auto' | 'unset';
	eol: 'lf' | 'crlf' | null;
}

/** Conversion of a path's content between the object store and the working tree. */
export interface ConversionRule {
	/** As specified by attributes, for listings. */
	said: LineEndRule;
	kind: 'binary' | 'text' | 'auto';
	eol: 'lf' | 'crlf';
	/** Expands `$Id$` to the id of the content. */
	hasKeywords: boolean;
	/** Encoding in the working tree; null for UTF-8, or if it does not matter. */
	encoding: string | null;
}

/** Settings that apply if attributes do not decide. */
export interface LineEndSettings {
	automatic: 'true' | 'false' | 'input';
	eol: 'lf' | 'crlf';
	/** Reaction to line endings that a checkout would not restore (`core.safecrlf`). */
	safety: 'warn' | 'refuse' | 'ignore';
}

/** Effective settings: `core.autocrlf` overrides `core.eol`. */
export function lineEndSettings(config: Config): LineEndSettings {
	const crlf = config.get('core.autocrlf')?.toLowerCase() ?? 'false';
	const automatic = crlf === 'input' ? 'input' : booleanOf(crlf) ? 'true' : 'false';
	const eol = config.get('core.eol')?.toLowerCase();
	const safe = config.get('core.safecrlf')?.toLowerCase() ?? 'warn';
	return {
		automatic,
		eol: automatic === 'true' || (automatic === 'false' && eol === 'crlf') ? 'crlf' : 'lf',
		safety: safe === 'warn' ? 'warn' : booleanOf(safe) ? 'refuse' : 'ignore'
	};
}

/** @throws GitError if `working-tree-encoding` is set without a name */
export function conversionRule(
	attributes: ReadonlyMap<string, Attribute>,
	{ automatic, eol }: LineEndSettings
): ConversionRule {
	const said = saidLineEnds(attributes);
	const decided =
		said.kind !== 'unset'
			? said
			: automatic === 'false'
				? { kind: 'binary' as const, eol: null }
				: { kind: 'auto' as const, eol: automatic === 'true' ? ('crlf' as const) : ('lf' as const) };
	return {
		said,
		kind: decided.kind === 'unset' ? 'binary' : decided.kind,
		eol: decided.eol ?? eol,
		hasKeywords: attributes.get('ident') === true,
		encoding: encodingOf(attributes.get('working-tree-encoding'))
	};
}

function saidLineEnds(attributes: ReadonlyMap<string, Attribute>): LineEndRule {
	const text = kindOf(attributes.get('text')) ?? kindOf(attributes.get('crlf'));
	if (text?.kind === 'binary') return text;
	const given = attributes.get('eol');
	const eol = given === 'lf' || given === 'crlf' ? given : null;
	if (eol !== null) return { kind: text?.kind === 'auto' ? 'auto' : 'text', eol };
	return text ?? { kind: 'unset', eol: null };
}

function kindOf(state: Attribute | undefined): LineEndRule | null {
	if (state === true) return { kind: 'text', eol: null };
	if (state === false) return { kind: 'binary', eol: null };
	if (state === 'input') return { kind: 'text', eol: 'lf' };
	return state === 'auto' ? { kind: 'auto', eol: null } : null;
}

function encodingOf(state: Attribute | undefined): string | null {
	if (state === undefined || state === '' || state === false) return null;
	if (state === true) throw fatal('true/false are no valid working-tree-encodings');
	return isUtf8Name(state) ? null : state;
}

/** Formats the line ending attributes in the syntax of gitattributes. */
export function saidText({ kind, eol }: LineEndRule): string {
	const words = { unset: '', binary: '-text', text: 'text', auto: 'text=auto' }[kind];
	return eol === null ? words : `${words} eol=${eol}`;
}
