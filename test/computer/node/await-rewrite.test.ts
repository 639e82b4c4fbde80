import { expect, it } from 'vitest';
import { rewriteAwaits } from '#computer/node/loader/await-rewrite.ts';

const rewritten = (code: string) =>
	rewriteAwaits(`async function f() { ${code}\n}`)
		.slice('async function f() { '.length, -2)
		.replaceAll('__sandglass_resume', 'R')
		.replaceAll('__sandglass_wait', 'W')
		.replaceAll('__sandglass_follow', 'F')
		.replaceAll('__sandglass_evaluated', 'E');

it.each([
	['await x', 'R(await W( x))'],
	['(await x).y', '(R(await W( x))).y'],
	['await a.b?.c[d](e)`f`', 'R(await W( a.b?.c[d](e)`f`))'],
	['1 + await x + 2', '1 + R(await W( x)) + 2'],
	['await x ?? await y', 'R(await W( x)) ?? R(await W( y))'],
	['await await x', 'R(await W( R(await W( x))))'],
	['await new A(b).c()', 'R(await W( new A(b).c()))'],
	['await (async () => { await 1; })()', 'R(await W( (async () => { R(await W( 1)); })()))'],
	['await !x', 'R(await W( !x))'],
	['`${await x}`', '`${R(await W( x))}`'],
	['await [1, 2]', 'R(await W( [1, 2]))'],
	['await /a/.test(b)', 'R(await W( /a/.test(b)))'],
	['for await (const x of await y) {}', 'for await (const x of F(R(await W( y)))) {}'],
	['for await (const { of = [1] } of a.of(b)) c(of)', 'for await (const { of = [1] } of F(a.of(b))) c(of)'],
	['for await (of of of) await of', 'for await (of of F(of)) R(await W( of))'],
	['for (const x of y) z', 'for (const x of y) z'],
	['"await x" // await y', '"await x" // await y'],
	['await function ({ a }) { return a; }(b)', 'R(await W( function ({ a }) { return a; }(b)))'],
	['await async function* () {}()', 'R(await W( async function* () {}()))'],
	['for await(let x of[1]);', 'for await(let x of F([1]));'],
	['a.await(b); ({ await: 1, await }); a = { await(b) {} }', 'a.await(b); ({ await: 1, await }); a = { await(b) {} }'],
	['await(a)', 'R(await W((a)))'],
	['await eval(a, b)', 'R(await W( eval(E(a, b))))'],
	['eval("await 1")', 'eval(E("await 1"))'],
	['a.eval(b); new eval(c); (0, eval)(d); eval()', 'a.eval(b); new eval(c); (0, eval)(d); eval()'],
	['({ eval(a) {} }); function eval(a) {}', '({ eval(a) {} }); function eval(a) {}'],
	['await this.#p', 'R(await W( this.#p))']
])('%s', (code, expected) => {
	expect(rewritten(code)).toBe(expected);
});
