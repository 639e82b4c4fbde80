import { expect, it, vi } from 'vitest';
import { lazily } from '#llm/adapters/lazily.ts';

it('makes a value once, when it is needed, and tries again where that failed', async () => {
	const make = vi.fn<() => Promise<string>>().mockRejectedValueOnce(new Error('offline')).mockResolvedValue('made');
	const get = lazily(make);
	expect(make).not.toHaveBeenCalled();
	const first = get();
	expect(get()).toBe(first);
	await expect(first).rejects.toThrow('offline');
	expect(await Promise.all([get(), get()])).toEqual(['made', 'made']);
	expect(await get()).toBe('made');
	expect(make).toHaveBeenCalledTimes(2);
});
