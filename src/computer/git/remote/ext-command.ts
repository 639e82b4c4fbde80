import { fatal } from '../errors.ts';
import type { Service } from './carrier.ts';
import type { ServiceCommand } from './command-carrier.ts';
import { packet } from './packet.ts';

/**
 * Program of an address `ext::<command>`, by git-remote-ext(1): its arguments are separated by blanks, and `%` starts a
 * placeholder.
 *
 * @throws GitError if a placeholder is not valid
 */
export function extCommand(text: string, service: Service): ServiceCommand {
	const argv: string[] = [];
	let repository: string | null = null;
	let host: string | null = null;
	for (const [argument] of text.matchAll(/(?:[^% ]|%.?)+/gs)) {
		const [, kind] = /^%([GV])/.exec(argument) ?? [];
		const word = expanded(kind === undefined ? argument : argument.slice(2), service);
		if (kind === 'G') repository = word;
		else if (kind === 'V') host = word;
		else argv.push(word);
	}
	const env = { GIT_EXT_SERVICE: service, GIT_EXT_SERVICE_NOPREFIX: withoutPrefix(service) };
	if (repository === null) return { argv, env };
	const named = host === null ? '' : `host=${host}\0`;
	return { argv, env, preface: packet(`${service} ${repository}\0${named}`) };
}

const withoutPrefix = (service: Service): string => service.replace(/^git-/, '');

const expanded = (argument: string, service: Service): string =>
	argument.replace(/%(.?)/gs, (_, letter: string) => {
		switch (letter) {
			case ' ':
			case '%':
				return letter;
			case 's':
				return withoutPrefix(service);
			case 'S':
				return service;
			case '':
				throw fatal('remote-ext command has incomplete placeholder');
			default:
				throw fatal(`Bad remote-ext placeholder '%${letter}'.`);
		}
	});
