/**
 * Settings of a thread that its program can override. piscina, the pool of Angular and others, blocks a thread until
 * its next task arrives, and such a thread cannot receive tasks with ports or shared memory in a browser.
 */
const DEFAULTS: Readonly<Record<string, string>> = { PISCINA_DISABLE_ATOMICS: '1' };

/** Environment of a new thread, whose values are text. */
export function threadEnvironment(env: Readonly<Record<string, string | undefined>>): Record<string, string> {
	const given = Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]));
	return { ...DEFAULTS, ...(Object.fromEntries(given) as Record<string, string>) };
}
