import type { SqliteMemory } from './memory.ts';

const MAX_BYTES = 2 ** 31;
const PAGE_BYTES = 65_536;
const ENOSYS = 52;
const MS_PER_DAY = 86_400_000;

/**
 * Functions that the module imports. Those for files belong to file systems of its own, which are unregistered before
 * anything is opened: they refuse.
 */
export function importsFor(memory: SqliteMemory, module: WebAssembly.Module): WebAssembly.Imports {
	const provided: Record<string, WebAssembly.ImportValue> = {
		memory: memory.shared,
		emscripten_date_now: () => Date.now(),
		emscripten_get_now: () => performance.now(),
		emscripten_get_heap_max: () => MAX_BYTES,
		emscripten_resize_heap: (size: number) => Number(grow(memory.shared, size >>> 0)),
		_tzset_js: (offset: number, hasSummer: number) => setZone(memory, offset, hasSummer),
		_localtime_js: (seconds: bigint, into: number) => setLocalTime(memory, new Date(Number(seconds) * 1000), into),
		// The module has no environment variables.
		environ_sizes_get: (count: number, size: number) => {
			memory.setInt32(count, 0);
			memory.setInt32(size, 0);
			return 0;
		},
		environ_get: () => 0
	};
	const imports: Record<string, Record<string, WebAssembly.ImportValue>> = {};
	for (const { module: from, name } of WebAssembly.Module.imports(module)) {
		const refuse = (): number => (from === 'env' ? -ENOSYS : ENOSYS);
		(imports[from] ??= {})[name] = provided[name] ?? refuse;
	}
	return imports;
}

function grow(memory: WebAssembly.Memory, size: number): boolean {
	const now = memory.buffer.byteLength;
	// A fifth more than needed, so that it is not done for each page.
	for (const wanted of [Math.min(MAX_BYTES, Math.max(size, now * 1.2)), size]) {
		try {
			memory.grow(Math.ceil((wanted - now) / PAGE_BYTES));
			return true;
		} catch (error) {
			if (!(error instanceof RangeError)) throw error;
		}
	}
	return false;
}

function zoneOffsets(year: number): { winter: number; summer: number } {
	const [january, july] = [0, 6].map((month) => new Date(year, month, 1).getTimezoneOffset());
	return { winter: Math.max(january ?? 0, july ?? 0), summer: Math.min(january ?? 0, july ?? 0) };
}

function setZone(memory: SqliteMemory, offset: number, hasSummer: number): void {
	const { winter, summer } = zoneOffsets(new Date().getFullYear());
	memory.setInt32(offset, winter * 60);
	memory.setInt32(hasSummer, Number(winter !== summer));
}

/** Writes a `struct tm`. */
function setLocalTime(memory: SqliteMemory, date: Date, into: number): void {
	const year = date.getFullYear();
	const day = Math.floor((Date.UTC(year, date.getMonth(), date.getDate()) - Date.UTC(year, 0, 1)) / MS_PER_DAY);
	const { winter, summer } = zoneOffsets(year);
	const offset = date.getTimezoneOffset();
	const fields = [
		...[date.getSeconds(), date.getMinutes(), date.getHours(), date.getDate(), date.getMonth(), year - 1900],
		...[date.getDay(), day, Number(winter !== summer && offset === summer), -offset * 60]
	];
	for (const [at, field] of fields.entries()) memory.setInt32(into + at * 4, field);
}
