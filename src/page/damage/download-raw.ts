import { zipSync } from 'fflate';
import type { RawFile } from '#session/contract.ts';
import { t } from '../strings/index.ts';
import { download } from '../workbench/changes/download.ts';

/** Downloads a session's stored files unchanged. Rejects if there are none. */
export async function downloadRaw(sessionId: string, read: () => Promise<readonly RawFile[]>): Promise<void> {
	const files = await read();
	if (files.length === 0) throw new Error(t.damage.none);
	const zipped = zipSync(Object.fromEntries(files.map(({ name, bytes }) => [name, bytes])), { level: 0 });
	download(`sandglass-${sessionId}.zip`, zipped, 'application/zip');
}
