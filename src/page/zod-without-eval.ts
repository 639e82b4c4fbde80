import { config } from 'zod/v4/core';

// zod probes for `new Function` and compiles parsers with it. The page's policies stop that, and report each try.
config({ jitless: true });
