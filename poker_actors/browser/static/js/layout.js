// The places of the seats: spaced evenly along the table's edge, clockwise from the bottom.

/** Half the length of a straight side; the round ends have radius 1. */
const STRAIGHT = 1.15;

/**
 * Return one place per seat, `{x, y, px, py}`, from -1 to 1 in units of half the table's width and height:
 * x and y on a wide table, px and py on a tall one (a phone's).
 */
export function places(count) {
  return Array.from({ length: count }, (_, seat) => {
    const part = seat / count;
    const [x, y] = lying(part);
    const [px, py] = standing(part);
    return { x: round(x), y: round(y), px: round(px), py: round(py) };
  });
}

const round = (number) => Math.round(number * 1000) / 1000;

/** Return the point at `part` (0 to 1) of the edge of a wide table, clockwise from the middle of the lower side. */
function lying(part) {
  const length = 4 * STRAIGHT + 2 * Math.PI;
  let way = part * length;
  const wide = STRAIGHT + 1;
  if (way <= STRAIGHT) return [-way / wide, 1];
  way -= STRAIGHT;
  if (way <= Math.PI) return [-(STRAIGHT + Math.sin(way)) / wide, Math.cos(way)];
  way -= Math.PI;
  if (way <= 2 * STRAIGHT) return [(way - STRAIGHT) / wide, -1];
  way -= 2 * STRAIGHT;
  if (way <= Math.PI) return [(STRAIGHT + Math.sin(way)) / wide, -Math.cos(way)];
  return [(STRAIGHT - (way - Math.PI)) / wide, 1];
}

/** Return the point at `part` (0 to 1) of the edge of a tall table, clockwise from its lowest point. */
function standing(part) {
  const length = 4 * STRAIGHT + 2 * Math.PI;
  let way = part * length;
  const high = STRAIGHT + 1;
  if (way <= Math.PI / 2) return [-Math.sin(way), (STRAIGHT + Math.cos(way)) / high];
  way -= Math.PI / 2;
  if (way <= 2 * STRAIGHT) return [-1, (STRAIGHT - way) / high];
  way -= 2 * STRAIGHT;
  if (way <= Math.PI) return [-Math.cos(way), -(STRAIGHT + Math.sin(way)) / high];
  way -= Math.PI;
  if (way <= 2 * STRAIGHT) return [1, (way - STRAIGHT) / high];
  way -= 2 * STRAIGHT;
  return [Math.cos(way), (STRAIGHT + Math.sin(way)) / high];
}
