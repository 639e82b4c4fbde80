import fc from 'fast-check';

/**
 * Every property of `npm test` is tried on the same cases each time, so that what fails for one fails for everybody.
 * Other cases: `SOAK_SEED=7 npm test`; `npm run soak` has seeds of its own.
 */
fc.configureGlobal({ seed: Number((typeof process === 'undefined' ? undefined : process.env['SOAK_SEED']) ?? 1) });

export default fc;
