import type { Effects, FileEffect, Trial } from '../../environment/contract.ts';
import { changesScripts, isGitHistory, isGuarded, isInstalled } from './guarded-paths.ts';
import { matchesPath, pathPattern, type PermissionRule } from './permission-rules.ts';
import type { PermissionMode } from './permission-types.ts';

/** Effects of a trial that neither the mode nor a rule covers, with the rules that would cover them next time. */
export interface OpenEffects extends Effects {
	/** Empty where no rule can cover them. */
	rules: PermissionRule[];
}

/** A file effect with the name that rules and questions use. */
interface NamedEffect extends FileEffect {
	/** Relative to the workspace where it lies below it. */
	name: string;
	/** Asked about whatever a rule for its directory says. */
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
 * Finds the effects of a trial that have to be asked about. All hosts among them do: a trial reaches the allowed ones.
 *
 * @param nameOf name of a path that rules and questions use
 */
export async function openEffects(
	trial: Trial,
	coverage: Coverage,
	nameOf: (path: string) => string
): Promise<OpenEffects> {
	const files: NamedEffect[] = [];
	for (const effect of trial.effects.files) {
		const named = await nameEffect(trial, effect, nameOf(effect.path));
		if (!isCovered(named, coverage)) files.push(named);
	}
	// A server was stopped with its trial, so that a rule for background commands cannot let the result stand.
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

/** Tells an empty set of effects, about which there is nothing to ask. */
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

function isCovered({ name, guarded }: NamedEffect, { mode, rules, mayInstall }: Coverage): boolean {
	const patterns = (kind: PermissionRule['kind']): string[] =>
		rules.filter((rule) => rule.kind === kind && rule.tool === undefined).map(({ pattern }) => pattern);
	if (isGitHistory(name)) return patterns('git').length > 0;
	if (guarded) return false;
	return mode === 'auto-edit' || (mayInstall && isInstalled(name)) || matchesPath(name, patterns('path'));
}

function ruleFor({ name }: NamedEffect): PermissionRule {
	if (isGitHistory(name)) return { kind: 'git', pattern: 'history' };
	return { kind: 'path', pattern: pathPattern(name) };
}

function distinct(rules: readonly PermissionRule[]): PermissionRule[] {
	return [...new Map(rules.map((rule) => [`${rule.kind}\0${rule.pattern}`, rule])).values()];
}
