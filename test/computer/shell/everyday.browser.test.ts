import { compareEveryday } from './everyday.ts';

// All of them run in `npm run soak everyday`.
compareEveryday(2);
