import type { Unit } from '../clients/client.ts';
import { PRIORITIES } from '../declarations/types.ts';
import type { ClaimedText } from './session/kept-texts.ts';
import type { SessionMark } from './session/marks.ts';
import { cutWithin, LEAST } from './text/cut.ts';
import { BETWEEN, envelope, type Heading, measure } from './text/render.ts';

/** One text of a hook, with the heading for its naming line. */
export interface Block {
  n: number;
  heading: Heading;
  text: string;
  /** Set when the text is a tool's answer; declared texts go before tools' answers. */
  fromTool?: true;
  /** The claim on a kept text that was waiting for this event. */
  taken?: ClaimedText;
  /** The claim on a kept text in whose place this text is given. */
  replaced?: ClaimedText;
  /** Marks that were claimed for this text: they stay once it was given, and go when it isn't. */
  marks?: readonly SessionMark[];
  /** Blocks with the same text, which are not given beside this one (`distinct`). */
  twins?: readonly Block[];
}

/**
 * Returns the blocks in their order, but of equal texts of one event only the block of the highest priority, at equal
 * priorities the first. A text that is both declared and a tool's answer counts as declared. A kept text was meant for
 * an earlier event than the others.
 */
export function distinct(blocks: readonly Block[]): Block[] {
  const key = ({ heading, taken, text }: Block): string => `${heading.event} ${!taken} ${text}`;
  const equal = new Map<string, Block[]>();
  for (const block of [...blocks].sort((a, b) => rankOf(b) - rankOf(a)))
    equal.set(key(block), [...(equal.get(key(block)) ?? []), block]);
  return blocks.flatMap(({ fromTool, ...block }, i) => {
    const [best, ...twins] = equal.get(key(block)) ?? [];
    if (best !== blocks[i]) return [];
    return { ...block, twins, ...(fromTool && twins.every((twin) => twin.fromTool) && { fromTool }) };
  });
}

const rankOf = ({ heading }: Block): number => PRIORITIES.indexOf(heading.priority);

export interface Assembled {
  /** Blocks in the order of their declarations; '' when there are none. */
  text: string;
  /** Blocks in `text`, each with its text there, naming lines included. */
  given: { block: Block; whole: string }[];
  /** Numbers of the declarations whose text was cut. */
  cut: number[];
  /** Blocks left out whole, for lack of room. */
  dropped: Block[];
}

/**
 * Assembles as many blocks as fit into `most` units. Left out first: tools' answers before declared texts, then the
 * lowest priority, among equals the last declared. A block that doesn't fit whole is cut when enough room remains.
 */
export function assemble(blocks: readonly Block[], most: number, unit: Unit): Assembled {
  const rank = (block: Block): number => rankOf(block) - (block.fromTool ? PRIORITIES.length : 0);
  const chosen = [...blocks].sort((a, b) => rank(b) - rank(a) || a.n - b.n);
  const texts = new Map<Block, string>();
  const result: Assembled = { text: '', given: [], cut: [], dropped: [] };
  let room = most;
  for (const block of chosen) {
    const frame = measure(envelope(block.heading, ''), unit) + (texts.size > 0 ? BETWEEN.length : 0);
    const text = fitting(block.text, room - frame, unit);
    if (text === null) {
      result.dropped.push(block);
      continue;
    }
    if (text !== block.text) result.cut.push(block.n);
    texts.set(block, text);
    room -= frame + measure(text, unit);
  }
  result.given = blocks.flatMap((block) => {
    const text = texts.get(block);
    return text === undefined ? [] : [{ block, whole: envelope(block.heading, text) }];
  });
  result.text = result.given.map(({ whole }) => whole).join(BETWEEN);
  return result;
}

function fitting(text: string, room: number, unit: Unit): string | null {
  if (measure(text, unit) <= room) return text;
  return room < LEAST ? null : cutWithin(text, room, unit) || null;
}
