import { SyscallError } from '#computer/abi/client.ts';
import type { ProcessContext } from '#computer/process/program.ts';
import type { LockMode } from '#computer/abi/syscalls.ts';
import { type FsStream, isPipe, type Volume } from './types.ts';

const EAGAIN = 6;
const EINTR = 27;
const EINVAL = 28;

/** `F_GETLK`, `F_SETLK`, `F_SETLKW`. */
const ASK = 12;
const SET = 13;
const WAIT = 14;
const WAIT_MS = 20;

/** `l_type` of `struct flock`. */
const MODES: LockMode[] = ['shared', 'exclusive', 'none'];
const [EXCLUSIVE, NONE] = [1, 2];
/** Positions of the fields of `struct flock`. */
const FIELD = { type: 0, whence: 2, start: 8, length: 16 };

type Fcntl = (descriptor: number, command: number, args: number) => number;

/** Answers to `fcntl`; `null` until the volume is mounted, and for what is not a lock of one of its files. */
const answers: { fcntl: (...args: Parameters<Fcntl>) => number | null } = { fcntl: () => null };

/** Imports of the interpreter, where locks of files are the kernel's: Emscripten has none. */
export function withLocks(imports: WebAssembly.Imports): WebAssembly.Imports {
	const env = imports['env'] ?? {};
	const other = env['__syscall_fcntl64'] as Fcntl;
	const fcntl: Fcntl = (...args) => answers.fcntl(...args) ?? other(...args);
	return { ...imports, env: { ...env, __syscall_fcntl64: fcntl } };
}

/**
 * Connects locks. As on Unix, they belong to the process and end when it closes the file. Without shared memory there
 * are none, since no call to the kernel can be answered at once.
 */
export function connectLocks(volume: Volume, context: ProcessContext, nodes: object): void {
	const { fs, memory, sync, guarded, pathOf } = volume;
	const lock = ({ node }: FsStream, start: number, length: number, mode: LockMode): boolean => {
		const content = node.content;
		if (!content || content.unlinked) return true;
		return guarded(() => {
			content.lock ??= sync.openFile(pathOf(node), 'read');
			return sync.lockRange(content.lock, start, length, mode);
		});
	};
	const wait = (attempt: () => boolean): number => {
		while (!attempt()) {
			if (context.interrupted() || context.pendingSignals() > 0) return -EINTR;
			sync.poll([], WAIT_MS);
		}
		return 0;
	};
	answers.fcntl = (descriptor, command, args) => {
		if (command < ASK || command > WAIT) return null;
		const stream = fs.getStream(descriptor);
		if (!stream || stream.node.node_ops !== nodes || isPipe(stream.node)) return null;
		const view = new DataView(memory.HEAPU8.buffer);
		const at = view.getUint32(args, true);
		const type = view.getInt16(at + FIELD.type, true);
		const range = rangeOf(stream, view, at);
		const mode = MODES[type];
		if (!range || !mode) return -EINVAL;
		const attempt = (wanted: LockMode) => lock(stream, range.start, range.length, wanted);
		try {
			if (command === WAIT) return wait(() => attempt(mode));
			if (command === SET) return attempt(mode) ? 0 : -EAGAIN;
			view.setInt16(at + FIELD.type, attempt('test') ? NONE : EXCLUSIVE, true);
			return 0;
		} catch (error) {
			if (error instanceof SyscallError && error.code === 'ENOSYS') return null;
			throw error;
		}
	};
}

/** Bytes that a `struct flock` describes; `null` if they are none. */
function rangeOf(stream: FsStream, view: DataView, at: number): { start: number; length: number } | null {
	const whence = view.getInt16(at + FIELD.whence, true);
	const base = [0, stream.position, stream.node.content?.size ?? 0][whence];
	if (base === undefined) return null;
	const start = base + Number(view.getBigInt64(at + FIELD.start, true));
	const length = Number(view.getBigInt64(at + FIELD.length, true));
	const first = length < 0 ? start + length : start;
	// A length of 0 means all that follows.
	const end = length === 0 ? Number.MAX_SAFE_INTEGER : Math.max(start, start + length);
	return first < 0 || end > Number.MAX_SAFE_INTEGER ? null : { start: first, length: end - first };
}
