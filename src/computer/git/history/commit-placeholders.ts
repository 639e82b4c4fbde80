import { COLOR_RESET, slotColor } from '../color-choice.ts';
import { bodyOf, subjectOf, type Signature } from '../objects/commit.ts';
import type { Repository } from '../repository.ts';
import { formatDate, relativeDate } from './dates.ts';
import { placeholderDescription } from './description.ts';
import type { LogFormat } from './commit-format.ts';
import { mailmapOf } from './mailmap.ts';
import type { PlaceholderValues } from './placeholders.ts';
import { sanitizedSubject } from './sanitized-subject.ts';
import { decorationsOf } from './decorations.ts';
import { isTrailerFault, shownTrailers, trailerForm } from './trailer-list.ts';
import { unescapeFormat } from './format-escapes.ts';
import type { Revision } from './walk.ts';

type Value = ReturnType<PlaceholderValues['value']>;

/** Values of the placeholders of one commit. */
export class CommitPlaceholders implements PlaceholderValues {
	constructor(
		private readonly repository: Repository,
		private readonly revision: Revision,
		private readonly format: LogFormat
	) {}

	value(text: string, isColored: boolean): Value {
		if (text.startsWith('(trailers')) return this.#trailers(text);
		if (text.startsWith('(describe')) return this.#description(text);
		if (/^[ac]/.test(text)) return this.#person(text);
		if (text.startsWith('g')) return this.#reflog(text);
		// As for a commit without a signature: signatures cannot be verified here.
		if (/^G[G?SKFPT]/.test(text)) return { shown: { '?': 'N', T: 'undefined' }[text[1]!] ?? '', length: 2 };
		const shown = this.#single(text[0] ?? '', isColored);
		return shown === null ? null : { shown, length: 1 };
	}

	#single(letter: string, isColored: boolean): string | null {
		const { id, commit, mark } = this.revision;
		const short = (one: string) => this.repository.objects.abbreviate(one, this.format.digits);
		switch (letter) {
			case 'H':
				return this.#colored(id, isColored);
			case 'h':
				return this.#colored(short(id), isColored);
			case 'T':
				return commit.tree;
			case 't':
				return short(commit.tree);
			case 'P':
				return commit.parents.join(' ');
			case 'p':
				return commit.parents.map(short).join(' ');
			case 'm':
				return mark || '>';
			case 'd':
				return this.#names(isColored, { before: ' (', between: ', ', after: ')' });
			case 'D':
				return this.#names(isColored, { before: '', between: ', ', after: '' });
			case 'S':
				return this.format.sourceOf?.(id) ?? null;
			case 'N':
				return this.format.notes?.plain(id) ?? null;
			default:
				return this.#message(letter);
		}
	}

	#message(letter: string): string | null {
		const { message, encoding } = this.revision.commit;
		switch (letter) {
			case 'e':
				return encoding ?? '';
			case 's':
				return subjectOf(message);
			case 'f':
				return sanitizedSubject(message.replace(/^\s*\n/, ''));
			case 'b':
				return bodyOf(message);
			case 'B':
				return message;
			default:
				return null;
		}
	}

	#colored(id: string, isColored: boolean): string {
		return isColored ? `${slotColor(this.repository, 'diff', 'commit', 'yellow')}${id}${COLOR_RESET}` : id;
	}

	#names(isColored: boolean, marks: { before: string; between: string; after: string }): string {
		const decorations = this.format.decorations ?? decorationsOf(this.repository);
		return decorations.text(this.revision.id, isColored, marks);
	}

	#person(text: string): Value {
		const { author, committer } = this.revision.commit;
		const letter = text[1] ?? '';
		const shown = this.#personPart(text.startsWith('a') ? author : committer, letter);
		return shown === null ? null : { shown, length: 2 };
	}

	#personPart(who: Signature, letter: string): string | null {
		const now = this.repository.files.now();
		if (letter === 'd') return formatDate(who, this.format.date, now);
		if (letter === 'r') return relativeDate(who.seconds, Math.floor(now / 1000));
		const form = { D: 'rfc', i: 'iso', I: 'iso-strict', t: 'unix', s: 'short', h: 'human' }[letter];
		if (form !== undefined) return formatDate(who, form, now);
		const { name, email } = /[NEL]/.test(letter) ? mailmapOf(this.repository).mapped(who) : who;
		if (letter === 'n' || letter === 'N') return name;
		if (letter === 'e' || letter === 'E') return email;
		return letter === 'l' || letter === 'L' ? email.split('@')[0]! : null;
	}

	#reflog(text: string): Value {
		const letter = text[1] ?? '';
		const { reflog } = this.revision;
		if (!'dDsneENE'.includes(letter) || letter === '') return null;
		if (!reflog) return { shown: '', length: 2 };
		if (letter === 's') return { shown: reflog.message, length: 2 };
		if (letter === 'd' || letter === 'D')
			return { shown: `${letter === 'd' ? reflog.shortRef : reflog.ref}@{${reflog.place}}`, length: 2 };
		return { shown: this.#personPart(reflog.who, letter) ?? '', length: 2 };
	}

	#trailers(text: string): Value {
		const [whole, option] = /^\(trailers(?::([^)]*))?\)/.exec(text) ?? [];
		if (whole === undefined) return null;
		const form = trailerForm(option, unescapeFormat);
		if (isTrailerFault(form)) return null;
		const message = this.revision.commit.message.replace(/^\s*\n/, '');
		return { shown: shownTrailers(this.repository, message, form), length: whole.length };
	}

	#description(text: string): Value {
		const [whole, option = ''] = /^\(describe(?::([^)]*))?\)/.exec(text) ?? [];
		if (whole === undefined) return null;
		const shown = placeholderDescription(this.repository, this.revision.id, option);
		return shown === null ? null : { shown, length: whole.length };
	}
}
