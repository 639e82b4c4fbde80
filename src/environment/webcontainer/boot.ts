import type { WebContainer } from '@webcontainer/api';
import { EnvironmentError } from '../errors.ts';
import { WORKDIR_NAME } from './layout.ts';

const NEXT_STEP = 'Check that stackblitz.com can be reached from this browser, or use the built-in computer.';

export interface BootOptions {
	/** Time to wait; the library itself waits without limit if its host is unreachable. Default 10 s. */
	timeoutMs?: number;
	/** Default: loads the library and boots it. */
	boot?: () => Promise<WebContainer>;
}

/**
 * Starts a WebContainer. If it starts after the time limit, it is torn down, since only one can run per page.
 *
 * @throws EnvironmentError `EUNAVAILABLE` if it does not start in time or fails with a reason
 */
export async function bootWebContainer({ timeoutMs = 10_000, boot = load }: BootOptions = {}): Promise<WebContainer> {
	const booting = boot();
	let timer: ReturnType<typeof setTimeout> | undefined;
	let isLate = false;
	const late = new Promise<never>((_resolve, reject) => {
		timer = setTimeout(() => {
			isLate = true;
			const seconds = Math.round(timeoutMs / 100) / 10;
			reject(new EnvironmentError('EUNAVAILABLE', `WebContainer did not start within ${seconds} s. ${NEXT_STEP}`));
		}, timeoutMs);
	});
	booting.then(
		(container) => {
			if (isLate) container.teardown();
		},
		() => {
			// Reported by the race below, or too late to matter.
		}
	);
	try {
		return await Promise.race([booting, late]);
	} catch (error) {
		if (error instanceof EnvironmentError) throw error;
		const reason = error instanceof Error ? error.message : String(error);
		throw new EnvironmentError('EUNAVAILABLE', `WebContainer could not start: ${reason}. ${NEXT_STEP}`);
	} finally {
		clearTimeout(timer);
	}
}

async function load(): Promise<WebContainer> {
	const { WebContainer } = await import('@webcontainer/api');
	return WebContainer.boot({ coep: 'require-corp', workdirName: WORKDIR_NAME });
}
