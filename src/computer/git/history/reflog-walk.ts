import { parseDate } from '../config/identity.ts';
import { fatal } from '../errors.ts';
import { NULL_ID } from '../objects/object.ts';
import { parseSignature } from '../objects/commit.ts';
import { expandRef } from '../refs/revision.ts';
import { shortRefName } from '../refs/short-name.ts';
import type { Repository } from '../repository.ts';
import { agoDate, formatDate } from './dates.ts';
import type { Revision } from './walk.ts';

/**
 * Commits of the history of a reference, the newest entry first.
 *
 * @param text its name, with the entry to begin at behind it: `main@{2}`, `main@{yesterday}`
 * @param date form of the dates that stand in the place of numbers, where they are asked for
 * @throws GitError for a reference that has no history
 */
export function* walkReflog(repository: Repository, text: string, date: string | null): Generator<Revision> {
	const { refs, files } = repository;
	const [, given = text, start] = /^(.*)@\{(.*)\}$/s.exec(text) ?? [];
	const name = given === '' ? (refs.symbolic('HEAD') ?? 'HEAD') : given;
	const ref = name === 'HEAD' ? 'HEAD' : expandRef(repository, name);
	if (ref === null) throw fatal(`ambiguous argument '${text}': unknown revision or path not in the working tree.`);
	const entries = refs.reflog(ref);
	const isNumber = start !== undefined && /^\d+$/.test(start);
	const time = start === undefined || isNumber ? null : (parseDate(start) ?? agoDate(start, files.now()));
	const first = isNumber
		? Number(start)
		: time
			? entries.findIndex(({ who }) => parseSignature(who).seconds <= time.seconds)
			: 0;
	const showsDate = time !== null || (date !== null && !isNumber);
	const shortRef = shortRefName(refs, ref, false);
	for (const [at, { to, who, message }] of entries.entries()) {
		if (first < 0 || at < first || to === NULL_ID || repository.objects.find(to)?.type !== 'commit') continue;
		const person = parseSignature(who);
		const place = showsDate ? (formatDate(person, date ?? 'default', files.now()) ?? '') : String(at);
		yield { id: to, commit: repository.commit(to), reflog: { ref: name, shortRef, place, message, who: person } };
	}
}
