import type { ExecutionEnvironment } from '#environment/contract.ts';
import { createPageEnvironment } from '#environment/webcontainer/choose.ts';
import { serverConfig } from './server-config.ts';
import { t } from './strings/index.ts';

/** Holds `webcontainer` for a person who chose it; anything else means the built-in computer. */
export const ENVIRONMENT_KEY = 'sandglass:environment';

/** Whether the person asked for WebContainer. */
export const isWebContainerChosen = (): boolean => localStorage.getItem(ENVIRONMENT_KEY) === 'webcontainer';

/**
 * The computer of a project: WebContainer where its operator allows it, the person chose it and it
 * starts, the built-in one otherwise.
 *
 * @param makeWasm the built-in one, not yet initialised
 * @param onNotice called with a sentence for the person
 */
export async function openPageEnvironment(
	makeWasm: () => ExecutionEnvironment,
	onNotice: (notice: string) => void = () => {}
): Promise<ExecutionEnvironment> {
	if (!isWebContainerChosen() || !(await serverConfig())?.webcontainer) {
		const environment = makeWasm();
		await environment.initialize();
		return environment;
	}
	const { WebContainerExecutionEnvironment } = await import('#environment/webcontainer/environment.ts');
	const { environment, notice } = await createPageEnvironment({
		prefer: 'webcontainer',
		makeWasm,
		makeWebContainer: () => new WebContainerExecutionEnvironment()
	});
	onNotice(notice ?? t.engine.unlisted);
	return environment;
}
