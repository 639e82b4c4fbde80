import { onePack } from '../baseline/one-pack.ts';
import { concat, decode } from '../bytes.ts';
import { fatal } from '../errors.ts';
import type { Invocation } from '../invocation.ts';
import { NULL_ID, type GitObject } from '../objects/object.ts';
import { emptyPack } from '../objects/pack-format.ts';
import type { Advertisement } from '../remote/advertisement.ts';
import type { Connection } from '../remote/connection.ts';
import { FLUSH, packet, readPackets } from '../remote/packet.ts';
import { withoutPack } from '../remote/pack-response.ts';
import { RemoteLines } from '../remote/remote-lines.ts';
import type { Repository } from '../repository.ts';
import { hasFailed, PUSH_STATES, type PushItem } from './push-item.ts';
import { sentObjects } from './sent-objects.ts';

/** Options for sending references. */
export interface SendHow {
	/** Updates all references or none. */
	isAtomic: boolean;
	isDry: boolean;
	isQuiet: boolean;
	/** Reports progress on stderr. */
	showsProgress: boolean;
	/** Push options for the hooks of the remote. */
	options: readonly string[];
}

const AGENT = 'agent=git/sandglass';

/** Sends the accepted updates and records their results. Returns false if the remote could not process them. */
export async function sendPack(
	git: Invocation,
	connection: Connection,
	{ capabilities, refs }: Advertisement,
	items: readonly PushItem[],
	how: SendHow
): Promise<boolean> {
	if (items.length === 0) {
		git.err('No refs in common and none specified; doing nothing.\nPerhaps you should specify a branch.\n');
		return false;
	}
	if (how.isAtomic && !capabilities.has('atomic')) throw fatal('the receiving end does not support --atomic push');
	if (how.options.length > 0 && !capabilities.has('push-options'))
		throw fatal('the receiving end does not support push options');
	for (const item of items)
		if (item.from !== null && item.after === NULL_ID && item.state === 'none' && !capabilities.has('delete-refs'))
			item.state = 'remote does not support deleting refs';
	const failed = how.isAtomic ? items.find(hasFailed) : undefined;
	if (failed) {
		for (const item of items) if (item.from !== null && item.state === 'none') item.state = 'atomic push failed';
		git.err(`error: atomic push failed for ref ${failed.name}. status: ${PUSH_STATES.indexOf(failed.state)}\n\n`);
		return false;
	}
	const sent = items.filter(({ from, state }) => from !== null && state === 'none');
	for (const item of sent) item.state = how.isDry || !capabilities.has('report-status') ? 'ok' : 'unreported';
	if (sent.length === 0 || how.isDry) return true;
	const own = ['report-status', 'side-band-64k', ...(how.isAtomic ? ['atomic'] : []), ...(how.isQuiet ? ['quiet'] : [])]
		.filter((one) => capabilities.has(one))
		.concat(how.options.length > 0 ? ['push-options'] : [], AGENT);
	const commands = sent.map(({ name, before, after }, at) =>
		packet(`${before} ${after} ${name}${at === 0 ? `\0 ${own.join(' ')}` : ''}`)
	);
	const ends = [...git.repository.shallowCommits()].map((id) => packet(`shallow ${id}`));
	const options = how.options.length > 0 ? [...how.options.map((text) => packet(text)), FLUSH] : [];
	const there = refs.map(({ id }) => id).filter((id) => git.repository.objects.has(id));
	const wanted = sent.map(({ after }) => after).filter((id) => id !== NULL_ID);
	// Names were resolved with replacements; objects are sent as they are stored.
	git.repository.objects.ignoreReplacements();
	const ids = wanted.length > 0 ? [...sentObjects(git.repository, wanted, there)] : [];
	const pack = wanted.length > 0 ? [packOf(git.repository, ids)] : [];
	if (how.showsProgress && ids.length > 0) {
		const all = `100% (${ids.length}/${ids.length}), done.\n`;
		git.err(`Enumerating objects: ${ids.length}, done.\nCounting objects: ${all}Writing objects: ${all}`);
		git.err(`Total ${ids.length} (delta 0), reused 0 (delta 0), pack-reused 0\n`);
	}
	const request = concat([...ends, ...commands, FLUSH, ...options, ...pack]);
	const answer = await connection.post('git-receive-pack', request);
	const report = capabilities.has('side-band-64k') ? await reportIn(git, answer) : answer;
	return noteReport(git, report, sent);
}

/** Packs objects; without any, the pack is empty. @throws RangeError if they do not fit in one pack */
function packOf(repository: Repository, ids: readonly string[]): Uint8Array {
	return onePack(readAll(repository, ids), 'what is to be pushed is too large for one pack here') ?? emptyPack();
}

function* readAll({ objects }: Repository, ids: readonly string[]): Generator<GitObject> {
	objects.prefetch(ids);
	for (const id of ids) {
		const object = objects.find(id);
		if (!object) throw fatal(`unable to read ${id}`);
		yield object;
	}
}

/** Extracts the report from a response and prints messages of the remote. */
async function reportIn(git: Invocation, answer: Uint8Array): Promise<Uint8Array> {
	const parts: Uint8Array[] = [];
	const lines = new RemoteLines(git);
	const rest: Uint8Array[] = [];
	const takers = {
		takePack: (bytes: Uint8Array) => void parts.push(bytes),
		takeProgress: (bytes: Uint8Array) => lines.add(decode(bytes))
	};
	for await (const line of withoutPack(once(answer), takers)) rest.push(line);
	lines.end();
	const fault = readPackets(concat(rest)).lines.find((line) => line?.startsWith('\x03'));
	if (fault) throw fatal(`remote error: ${fault.slice(1).trim()}`);
	return concat(parts);
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
	yield bytes;
}

/** Records the remote's result for each reference. */
function noteReport(git: Invocation, report: Uint8Array, sent: readonly PushItem[]): boolean {
	const { lines } = readPackets(report, true);
	const [unpacked, ...results] = lines.filter((line) => line !== null);
	if (unpacked === undefined) return sent.every(({ state }) => state === 'ok');
	const isGood = unpacked === 'unpack ok';
	if (!isGood) git.err(`error: remote unpack failed: ${unpacked.replace(/^unpack /, '')}\n`);
	for (const line of results) {
		const [, word, name, reason] = /^(ok|ng) (\S+)(?: (.*))?$/s.exec(line) ?? [];
		const item = sent.find((one) => one.name === name);
		if (!item) {
			if (word !== undefined) git.err(`warning: remote reported status on unknown ref: ${name}\n`);
			continue;
		}
		item.state = word === 'ok' ? 'ok' : 'refused there';
		item.reason = reason ?? 'failed';
	}
	return isGood;
}
