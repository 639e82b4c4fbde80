import type { Effects, FileEffect, Trial } from '#environment/contract.ts';
import { changesScripts, isGitHistory, isGuarded, isInstalled } from './guarded-paths.ts';
import { effectPatterns, matchesPath, pathPattern, type PermissionRule } from './permission-rules.ts';
import type { PermissionMode } from './permission-types.ts';

/** Effects of a trial that neither the mode nor a rule covers, with the rules that would cover them next time. */
export interface OpenEffects extends Effects {
	/** Empty if no rule can cover them. */
	rules: PermissionRule[];
}

/** A file effect with the name that rules and questions use. */
interface NamedEffect extends FileEffect {
	/** Relative to the workspace if the path is inside it. */
	name: string;
	/** Requires a question even if a rule covers its directory. */
	guarded: boolean;
}

/** Changes that need no question. */
export interface Coverage {
	mode: PermissionMode;
	rules: readonly PermissionRule[];
	/** The user let this command reach a host, so that it may install packages. */
	mayInstall: boolean;
}

/**
 * Finds the effects of a trial that need the user's permission. All hosts among them do, since a trial can reach the
 * allowed hosts.
 *
 * @param nameOf name of a path that rules and questions use
 */
export async function openEffects(
	trial: Trial,
	{ mode, rules, mayInstall }: Coverage,
	nameOf: (path: string) => string
): Promise<OpenEffects> {
	const paths = effectPatterns(rules, 'path');
	const mayCommit = effectPatterns(rules, 'git').length > 0;
	const isCovered = ({ name, guarded }: NamedEffect): boolean => {
		if (isGitHistory(name)) return mayCommit;
		if (guarded) return false;
		return mode === 'auto-edit' || (mayInstall && isInstalled(name)) || matchesPath(name, paths);
	};
	const files: NamedEffect[] = [];
	for (const effect of trial.effects.files) {
		const named = await nameEffect(trial, effect, nameOf(effect.path));
		if (!isCovered(named)) files.push(named);
	}
	// A server was stopped with its trial, so its result cannot be used even under a rule for background
	// commands.
	const { hosts, servers, signals, leftRunning, unnamed } = trial.effects;
	const coverable: PermissionRule[] = [
		...files.map(ruleFor),
		...hosts.map((pattern): PermissionRule => ({ kind: 'host', pattern }))
	];
	const once =
		servers.length + signals.length + leftRunning.length > 0 ||
		unnamed ||
		files.some(({ name, guarded }) => guarded && !isGitHistory(name));
	return { files, hosts, servers, signals, leftRunning, unnamed, rules: once ? [] : distinct(coverable) };
}

/** Returns true for an empty set of effects, which needs no question. */
export function wantsNothing(effects: Effects): boolean {
	const { files, hosts, servers, signals, leftRunning, unnamed } = effects;
	return [files, hosts, servers, signals, leftRunning].every(({ length }) => length === 0) && !unnamed;
}

async function nameEffect(trial: Trial, effect: FileEffect, name: string): Promise<NamedEffect> {
	const isPackage = /(^|\/)package\.json$/i.test(name) && !/(^|\/)node_modules\//.test(name);
	const [before, after] = isPackage
		? await Promise.all([trial.read(effect.path, 'before'), trial.read(effect.path, 'after')])
		: [null, null];
	return { ...effect, name, guarded: isGuarded(name) || (isPackage && changesScripts(name, before, after)) };
}

function ruleFor({ name }: NamedEffect): PermissionRule {
	if (isGitHistory(name)) return { kind: 'git', pattern: 'history' };
	return { kind: 'path', pattern: pathPattern(name) };
}

function distinct(rules: readonly PermissionRule[]): PermissionRule[] {
	return [...new Map(rules.map((rule) => [`${rule.kind}\0${rule.pattern}`, rule])).values()];
}
