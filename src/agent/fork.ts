import type { ExecutionEnvironment } from '#environment/contract.ts';
import type { SessionOptions } from './api.ts';
import { branchPath } from './branch-path.ts';
import type { PermissionRule } from './guards/permission-rules.ts';
import { MemoryLog, SESSION_LOG_VERSION } from './memory-log.ts';
import { restoredTodo } from './restored-todo.ts';
import type { EntryBody, SessionEntry, SessionLog } from './session-log.ts';

/**
 * Creates a log with the conversation up to an entry; events stay with the session in which they happened.
 *
 * @param target log to write to; absent: in memory
 * @throws RangeError if there is no such entry
 */
export function forkLog(source: SessionLog, entryId: string, sessionId: string, target?: SessionLog): SessionLog {
	const path = pathTo(source.entries(), entryId);
	const log = target ?? new MemoryLog();
	const title = path.find((entry) => entry.type === 'session')?.title ?? '';
	if (!log.entries().some(({ type }) => type === 'session'))
		log.append({ type: 'session', version: SESSION_LOG_VERSION, sessionId, title });
	// Entries get new ids, so references to them are rewritten.
	const newIds = new Map<string, string>();
	for (const entry of path) {
		if (entry.type === 'session' || entry.type === 'event' || entry.type === 'todo_list') continue;
		newIds.set(entry.id, log.append(bodyOf(entry, newIds)));
	}
	const items = restoredTodo(path);
	if (items.length > 0) log.append({ type: 'todo_list', items });
	return log;
}

function pathTo(entries: readonly SessionEntry[], entryId: string): SessionEntry[] {
	const byId = new Map(entries.map((entry) => [entry.id, entry]));
	if (!byId.has(entryId)) throw new RangeError(`There is no entry ${entryId} in this session to fork from.`);
	return branchPath(byId, entryId);
}

function bodyOf(entry: SessionEntry, newIds: ReadonlyMap<string, string>): EntryBody {
	const { id: _id, parentId: _parentId, timestamp: _timestamp, ...body } = entry;
	if (body.type === 'compaction') return { ...body, firstKeptId: newIds.get(body.firstKeptId) ?? '' };
	if (body.type === 'label') return { ...body, targetId: newIds.get(body.targetId) ?? '' };
	return body;
}

/** Parts of a session needed to fork it: its initial options and later changes. */
interface ForkedSession {
	readonly profile: SessionOptions['profile'];
	readonly options: SessionOptions;
	readonly reasoningEffort: SessionOptions['reasoningEffort'];
	readonly mode: SessionOptions['mode'];
	readonly allowRules: readonly PermissionRule[];
	readonly fileFork: { readonly base: ExecutionEnvironment };
}

/** Options of a session's fork: the session's current ones, with the project's files. */
export function forkOptions(session: ForkedSession): SessionOptions {
	const { id: _id, log: _log, forkStore: _forkStore, machineChange: _machineChange, ...inherited } = session.options;
	const { profile, reasoningEffort, mode, allowRules, fileFork } = session;
	return { ...inherited, profile, reasoningEffort, mode, allowRules: [...allowRules], environment: fileFork.base };
}
