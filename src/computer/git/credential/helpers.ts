import { decode, encode } from '../bytes.ts';
import { openConfig } from '../commands/config.ts';
import { booleanOf } from '../config/values.ts';
import { fatal } from '../errors.ts';
import type { Invocation } from '../invocation.ts';
import { wildmatch } from '../worktree/wildmatch.ts';
import { Credential, readUrl } from './credential.ts';

/** Config settings that apply to a credential. */
interface CredentialSettings {
	helpers: string[];
	username: string | undefined;
	usesPath: boolean;
}

/**
 * Gets user name and password from helpers, otherwise from a program that asks the user. @throws GitError if there is
 * none
 */
export function fillCredential(git: Invocation, credential: Credential): void {
	if (credential.isComplete) return;
	const { helpers } = applySettings(git, credential);
	for (const helper of helpers) {
		const answer = runHelper(git, helper, 'get', credential.text());
		credential.take(git, answer.split('\n'));
		if (credential.isComplete) return;
		if (credential.isEnded) throw fatal(`credential helper '${helper}' told us to quit`);
	}
	for (const [field, title] of [
		['username', 'Username'],
		['password', 'Password']
	] as const)
		if (credential.get(field) === undefined)
			credential.fields.set(field, ask(git, `${title} for '${credential.place()}': `, title));
}

/** Lets all helpers store or erase a credential. */
export function tellHelpers(git: Invocation, credential: Credential, action: 'store' | 'erase'): void {
	if (action === 'store' && !credential.isComplete) return;
	const { helpers } = applySettings(git, credential);
	for (const helper of helpers) runHelper(git, helper, action, credential.text());
}

/** Reads the config for a location and applies it to the credential. @throws GitError if the location is incomplete */
function applySettings(git: Invocation, credential: Credential): CredentialSettings {
	if (credential.get('host') === undefined) throw fatal('refusing to work with credential missing host field');
	if (credential.get('protocol') === undefined) throw fatal('refusing to work with credential missing protocol field');
	const found: CredentialSettings = { helpers: [], username: undefined, usesPath: false };
	for (const { key, value } of openConfig(git, false).all()) {
		const [, place, variable] = /^credential\.(?:(.*)\.)?([a-z]+)$/s.exec(key) ?? [];
		if (variable === undefined || (place !== undefined && !isFor(git, place, credential))) continue;
		if (variable === 'helper') {
			if (value === '') found.helpers = [];
			else found.helpers.push(value);
		} else if (variable === 'username') found.username = value;
		else if (variable === 'usehttppath') found.usesPath = booleanOf(value) ?? false;
	}
	if (found.username !== undefined && !credential.isNamed) credential.fields.set('username', found.username);
	if (!found.usesPath && /^https?$/.test(credential.get('protocol') ?? '')) credential.fields.delete('path');
	return found;
}

/** Returns whether a URL from the config matches the location of a credential. */
function isFor(git: Invocation, place: string, credential: Credential): boolean {
	const parts = readUrl(place, true);
	if (!parts || [...parts.values()].some((value) => value.includes('\n'))) {
		git.err(`warning: skipping credential lookup for key: credential.${place}\n`);
		return false;
	}
	for (const [field, value] of parts) {
		const own = credential.get(field);
		if (field === 'password' || own === value) continue;
		if (own === undefined) return false;
		if (field === 'host' && value.includes('*') && wildmatch(value, true).test(own)) continue;
		if (field === 'path' && place.includes('://') && own.startsWith(`${value}/`)) continue;
		return false;
	}
	return true;
}

/** Runs a helper with the known fields and returns its output. */
function runHelper(git: Invocation, helper: string, action: string, input: string): string {
	const command = helper.startsWith('!')
		? helper.slice(1)
		: helper.startsWith('/')
			? helper
			: `git credential-${helper}`;
	return runWithInput(git, `${command} ${action}`, [], input);
}

/** Asks the user with the configured program. @throws GitError if there is none: the terminal is never used */
function ask(git: Invocation, question: string, title: string): string {
	const { env } = git;
	const program = env['GIT_ASKPASS'] || openConfig(git, false).get('core.askpass') || env['SSH_ASKPASS'];
	const place = /'(.*)'/.exec(question)?.[1] ?? '';
	if (!program) throw fatal(`could not read ${title} for '${place}': No such device or address`);
	return runWithInput(git, '"$@"', [program, question], '').split(/[\r\n]/, 1)[0] ?? '';
}

/** Runs a command line with input and returns its output. */
function runWithInput(git: Invocation, line: string, args: readonly string[], input: string): string {
	git.flush();
	const { stdout, stderr } = git.context.sync.run({
		argv: ['sh', '-c', line, line, ...args],
		cwd: git.cwd,
		env: git.env,
		input: encode(input)
	});
	if (stderr.length > 0) git.context.sync.write(2, stderr);
	return decode(stdout);
}
