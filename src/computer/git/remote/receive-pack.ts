import { concat } from '../bytes.ts';
import { GitError } from '../errors.ts';
import { isAncestor } from '../history/walk.ts';
import { NULL_ID } from '../objects/object.ts';
import { PackReceiver, type ReceivedPack } from '../objects/pack-receiver.ts';
import { sentObjects } from '../push/sent-objects.ts';
import { hiddenRefs } from '../refs/hidden-refs.ts';
import { isRefName } from '../refs/ref-format.ts';
import { applyChanges, checkChanges, type RefChange } from '../refs/ref-transaction.ts';
import type { Repository } from '../repository.ts';
import { linkedTrees, type LinkedTree } from '../worktree/linked.ts';
import { FLUSH, inBand, packet, readPackets } from './packet.ts';

/** One reference update of a push. */
export interface RefCommand {
	from: string;
	to: string;
	name: string;
}

/** Result of a hook. */
export interface HookAnswer {
	isGood: boolean;
	/** All its output. */
	output: Uint8Array;
}

/** Steps that a server runs before and after it moves references. */
export interface ServerHooks {
	/** @param texts push options for the hooks; null if the protocol does not support them */
	before(commands: readonly RefCommand[], texts: readonly string[] | null): HookAnswer;
	update(command: RefCommand): HookAnswer;
	after(commands: readonly RefCommand[], texts: readonly string[] | null): Uint8Array;
	/** Updates a working tree to a commit. Returns the reason if it cannot, or null. */
	deploy(tree: LinkedTree, id: string): { fault: string | null; output: Uint8Array };
}

const MESSAGE_BAND = 2;

/** A push being received: its commands, and the faults found in each. */
class Receiving {
	readonly faults = new Map<RefCommand, string>();
	readonly messages: Uint8Array[] = [];
	/** Symbolic references whose target is also updated. */
	readonly followed = new Set<RefCommand>();

	constructor(
		readonly repository: Repository,
		readonly hooks: ServerHooks,
		readonly commands: readonly RefCommand[],
		readonly texts: readonly string[] | null
	) {}

	say(text: string): void {
		this.messages.push(new TextEncoder().encode(text));
	}

	/** Commands that have not been rejected. */
	get open(): RefCommand[] {
		return this.commands.filter((command) => !this.faults.has(command));
	}

	refuse(commands: readonly RefCommand[], fault: string): void {
		for (const command of commands) if (!this.faults.has(command)) this.faults.set(command, fault);
	}
}

/** Stores the objects and moves the references. The response reports whether each reference was moved. */
export function receivePack(repository: Repository, request: Uint8Array, hooks: ServerHooks): Uint8Array {
	const { lines, rest } = readPackets(request, true);
	const commands = lines.flatMap((line): RefCommand[] => {
		const [, from, to, name] = /^([0-9a-f]{40}) ([0-9a-f]{40}) ([^\0]+)/.exec(line ?? '') ?? [];
		return from === undefined || to === undefined || name === undefined ? [] : [{ from, to, name }];
	});
	const asked = new Set((lines.find((line) => line?.includes('\0'))?.split('\0')[1] ?? '').trim().split(' '));
	const given = asked.has('push-options') ? readPackets(rest, true) : null;
	const texts = given ? given.lines.filter((line) => line !== null) : null;
	const ends = lines.flatMap((line) => /^shallow ([0-9a-f]{40})$/.exec(line ?? '')?.[1] ?? []);
	const receiving = new Receiving(repository, hooks, commands, texts);
	const unpacked = carryOut(receiving, given?.rest ?? rest, ends, asked.has('atomic'));
	const report = commands.map((command) => {
		const fault = receiving.faults.get(command);
		return packet(fault === undefined ? `ok ${command.name}\n` : `ng ${command.name} ${fault}\n`);
	});
	const result = concat([packet(`unpack ${unpacked ?? 'ok'}\n`), ...report, FLUSH]);
	const moved = receiving.open.filter(({ from, to }) => from !== NULL_ID || to !== NULL_ID);
	const after = moved.length > 0 ? hooks.after(moved, texts) : new Uint8Array(0);
	const said = inBand(MESSAGE_BAND, concat([...receiving.messages]));
	return concat([said, inBand(1, result), inBand(MESSAGE_BAND, after), FLUSH]);
}

/** Executes the commands as far as possible. Returns the reason if the pack could not be stored, or null. */
function carryOut(receiving: Receiving, pack: Uint8Array, ends: readonly string[], isAtomic: boolean): string | null {
	const { repository, hooks, commands, texts } = receiving;
	const received = unpack(repository, pack);
	if (received instanceof RangeError) {
		receiving.refuse(commands, 'unpacker error');
		receiving.say(`error: ${received.message}\n`);
		return 'unpack-objects abnormal exit';
	}
	const isNew = received !== null && repository.objects.keepPack(received);
	checkConnected(receiving, ends);
	refuseHidden(receiving);
	const { isGood, output } = hooks.before(receiving.open, texts);
	receiving.messages.push(output);
	if (!isGood) receiving.refuse(commands, 'pre-receive hook declined');
	if (receiving.open.length === 0) {
		// Objects of a rejected push are removed.
		if (received && isNew) repository.objects.dropPack(received);
		return null;
	}
	refuseAliases(receiving);
	move(receiving, isAtomic);
	return null;
}

function unpack(repository: Repository, pack: Uint8Array): ReceivedPack | RangeError | null {
	try {
		const receiver = new PackReceiver((id) => repository.objects.find(id));
		receiver.push(pack);
		return pack.length > 0 ? receiver.finish() : null;
	} catch (error) {
		if (error instanceof RangeError) return error;
		throw error;
	}
}

/** Rejects commands that need missing objects. @param ends commits at which the sender's history is cut off */
function checkConnected(receiving: Receiving, ends: readonly string[]): void {
	const { repository, commands } = receiving;
	const known = repository.refs.list('refs/').map(({ id }) => id);
	const open = ends.filter((id) => {
		const object = repository.objects.find(id);
		return object !== null && !repository.shallowCommits().has(id) && !hasParents(repository, id);
	});
	for (const command of commands) {
		const { to } = command;
		if (to === NULL_ID) continue;
		if (!repository.objects.has(to)) receiving.refuse([command], 'missing necessary objects');
		else if (!isConnected(repository, to, known))
			receiving.refuse([command], open.length > 0 ? 'shallow update not allowed' : 'missing necessary objects');
	}
}

const hasParents = ({ objects }: Repository, id: string): boolean =>
	objects.commit(id).parents.every((parent) => objects.has(parent));

function isConnected(repository: Repository, id: string, known: readonly string[]): boolean {
	try {
		for (const object of sentObjects(repository, [id], known)) if (!repository.objects.has(object)) return false;
		return true;
	} catch (error) {
		if (error instanceof GitError) return false;
		throw error;
	}
}

function refuseHidden(receiving: Receiving): void {
	const isHidden = hiddenRefs(receiving.repository.config, 'receive');
	for (const command of receiving.commands)
		if (isHidden(command.name))
			receiving.refuse([command], command.to === NULL_ID ? 'deny deleting a hidden ref' : 'deny updating a hidden ref');
}

/** Rejects moving a symbolic reference and its target to different commits; if they agree, the target is moved once. */
function refuseAliases(receiving: Receiving): void {
	const { repository, commands } = receiving;
	const { refs, objects } = repository;
	for (const command of commands) {
		const target = refs.target(command.name);
		if (target === command.name) continue;
		const other = commands.find(({ name }) => name === target);
		if (!other) continue;
		if (other.from === command.from && other.to === command.to) {
			receiving.followed.add(command);
			continue;
		}
		const range = ({ from, to }: RefCommand) => `${objects.abbreviate(from)}..${objects.abbreviate(to)}`;
		receiving.say(
			`error: refusing inconsistent update between symref '${command.name}' (${range(command)}) and` +
				` its target '${other.name}' (${range(other)})\n`
		);
		receiving.refuse([command, other], 'inconsistent aliased update');
	}
}

function move(receiving: Receiving, isAtomic: boolean): void {
	const { repository, commands } = receiving;
	const trees = linkedTrees(repository);
	const done: RefCommand[] = [];
	for (const command of receiving.open) {
		if (receiving.followed.has(command)) continue;
		const fault = faultOf(receiving, command, trees);
		if (fault !== null) receiving.refuse([command], fault);
		else if (!isAtomic) apply(receiving, [command]);
		else done.push(command);
		if (isAtomic && fault !== null) return receiving.refuse(commands, 'atomic push failure');
	}
	if (isAtomic && !apply(receiving, done)) receiving.refuse(commands, 'atomic transaction failed');
}

/** Moves all references or none. */
function apply(receiving: Receiving, commands: readonly RefCommand[]): boolean {
	const { repository } = receiving;
	const changes = commands
		.filter(({ name, to }) => to !== NULL_ID || repository.refs.resolve(name) !== null)
		.map(({ name, from, to }): RefChange => ({ name, from, to, isDirect: false }));
	try {
		checkChanges(repository, changes);
		applyChanges(repository, changes, { message: 'push', createsLog: false });
		return true;
	} catch (error) {
		if (!(error instanceof GitError)) throw error;
		receiving.say(`error: ${error.message.replace(/^fatal: /, '')}\n`);
		receiving.refuse(commands, commands.some(({ to }) => to === NULL_ID) ? 'failed to delete' : 'failed to update ref');
		return false;
	}
}

/** Reason that a reference may not be moved, as worded by git; null if it may. */
function faultOf(receiving: Receiving, command: RefCommand, trees: readonly LinkedTree[]): string | null {
	const { repository, hooks } = receiving;
	const { config } = repository;
	const { from, to, name } = command;
	if (!name.startsWith('refs/') || !isRefName(name)) {
		receiving.say(`error: refusing to create funny ref '${name}' remotely\n`);
		return 'funny refname';
	}
	const tree = trees.find(({ branch, isBare }) => branch === name && !isBare);
	const denied = denial(config.get('receive.denycurrentbranch'));
	if (tree && denied === 'warn') receiving.say('warning: updating the current branch\n');
	if (tree && (denied === 'refuse' || denied === null)) {
		receiving.say(`error: refusing to update checked out branch: ${name}\n`);
		if (denied === null) receiving.say(DENIED_UPDATE);
		return 'branch is currently checked out';
	}
	const fault = deletionFault(receiving, command, tree !== undefined) ?? rewindFault(receiving, command);
	if (fault !== null) return fault;
	const hook = hooks.update(command);
	receiving.messages.push(hook.output);
	if (!hook.isGood) {
		receiving.say(`error: hook declined to update ${name}\n`);
		return 'hook declined';
	}
	if (to === NULL_ID && (repository.refs.resolve(name) === null || from === NULL_ID))
		receiving.say('warning: deleting a non-existent ref\n');
	if (!tree || denied !== 'updateinstead') return null;
	const deployed = hooks.deploy(tree, to);
	receiving.messages.push(deployed.output);
	return deployed.fault;
}

/** Parses a setting that denies something; null if it is not set. */
function denial(value: string | undefined): 'ignore' | 'warn' | 'refuse' | 'updateinstead' | null {
	if (value === undefined) return null;
	const word = value.toLowerCase();
	if (word === 'warn' || word === 'updateinstead') return word;
	return ['ignore', 'false', 'no', 'off', '0'].includes(word) ? 'ignore' : 'refuse';
}

function deletionFault(receiving: Receiving, { from, to, name }: RefCommand, isCheckedOut: boolean): string | null {
	const { config, refs } = receiving.repository;
	if (to !== NULL_ID || from === NULL_ID) return null;
	if (config.flag('receive.denydeletes', false) && name.startsWith('refs/heads/')) {
		receiving.say(`error: denying ref deletion for ${name}\n`);
		return 'deletion prohibited';
	}
	if (!isCheckedOut && refs.symbolic('HEAD') !== name) return null;
	const denied = denial(config.get('receive.denydeletecurrent'));
	if (denied === 'ignore') return null;
	if (denied === 'warn') {
		receiving.say('warning: deleting the current branch\n');
		return null;
	}
	if (denied === null) receiving.say(DENIED_DELETION);
	receiving.say(`error: refusing to delete the current branch: ${name}\n`);
	return 'deletion of the current branch prohibited';
}

function rewindFault(receiving: Receiving, { from, to, name }: RefCommand): string | null {
	const { repository } = receiving;
	if (!repository.config.flag('receive.denynonfastforwards', false)) return null;
	if (from === NULL_ID || to === NULL_ID || !name.startsWith('refs/heads/')) return null;
	if (isAncestor(repository, from, to)) return null;
	receiving.say(`error: denying non-fast-forward ${name} (you should pull first)\n`);
	return 'non-fast-forward';
}

/** Formats each line of a message as an error. */
const errorLines = (lines: readonly string[]): string => `error: ${lines.join('\n')}\n`;

const DENIED_UPDATE = errorLines([
	'By default, updating the current branch in a non-bare repository',
	'is denied, because it will make the index and work tree inconsistent',
	"with what you pushed, and will require 'git reset --hard' to match",
	'the work tree to HEAD.',
	'',
	"You can set the 'receive.denyCurrentBranch' configuration variable",
	"to 'ignore' or 'warn' in the remote repository to allow pushing into",
	'its current branch; however, this is not recommended unless you',
	'arranged to update its work tree to match what you pushed in some',
	'other way.',
	'',
	'To squelch this message and still keep the default behaviour, set',
	"'receive.denyCurrentBranch' configuration variable to 'refuse'."
]);

const DENIED_DELETION = errorLines([
	'By default, deleting the current branch is denied, because the next',
	"'git clone' won't result in any file checked out, causing confusion.",
	'',
	"You can set 'receive.denyDeleteCurrent' configuration variable to",
	"'warn' or 'ignore' in the remote repository to allow deleting the",
	'current branch, with or without a warning message.',
	'',
	"To squelch this message, you can set it to 'refuse'."
]);
