import fc from 'fast-check';

/**
 * Every property of `npm test` is tried on the same cases each time, so that a failure is the same for everyone. Other
 * cases: `SOAK_SEED=7 npm test`; `npm run soak` uses other seeds.
 */
fc.configureGlobal({ seed: Number((typeof process === 'undefined' ? undefined : process.env['SOAK_SEED']) ?? 1) });

export default fc;
