/** Distance between two lanes of the graph, in pixels. */
const STEP = 13;
/** Further lanes share the last one: the subjects need the space. */
const MOST = 8;
const MARGIN = 9;
const COLOURS = ['--accent', '--branch', '--good', '--syntax-number'] as const;

/** Distance of a lane's line from the left edge, in pixels. */
export const laneAt = (lane: number): number => Math.min(lane, MOST - 1) * STEP + MARGIN;

/** Width of a graph, in pixels. */
export const graphWidth = (lanes: number): number => laneAt(Math.max(1, lanes) - 1) + MARGIN;

/** Color of a lane, as a CSS value. */
export const laneColour = (lane: number): string => `var(${COLOURS[lane % COLOURS.length]})`;
