import { PRIORITIES } from '../declarations/types.ts';
import { cut } from './cut.ts';
import type { Taken } from './kept.ts';
import { BETWEEN, envelope, type Heading, measure, type Unit } from './render.ts';

/** One text with what introduces it. */
export interface Block {
  n: number;
  heading: Heading;
  text: string;
  /** A tool's answer: it gives way to declared texts. */
  fromTool?: true;
  /** The text waited for this event, and is claimed by this fire. */
  taken?: Taken;
}

interface Assembled {
  /** Blocks in the order of their declarations; '' when there is none. */
  text: string;
  /** Numbers of the declarations whose text was cut. */
  cut: number[];
  /** What gave way whole. */
  dropped: Block[];
}

/** Below this many units a piece of a text says nothing. */
const LEAST = 200;

/**
 * As many blocks as `most` units hold. What gives way: answers of tools before declared texts, then the lowest
 * priority first, of equal ones the last declared; the first that doesn't fit whole is cut, if enough of it remains.
 */
export function assemble(blocks: readonly Block[], most: number, unit: Unit): Assembled {
  const rank = ({ fromTool, heading }: Block): number =>
    PRIORITIES.indexOf(heading.priority) - (fromTool ? PRIORITIES.length : 0);
  const chosen = [...blocks].sort((a, b) => rank(b) - rank(a) || a.n - b.n);
  const texts = new Map<Block, string>();
  const result: Assembled = { text: '', cut: [], dropped: [] };
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
  result.text = blocks
    .flatMap((block) => {
      const text = texts.get(block);
      return text === undefined ? [] : [envelope(block.heading, text)];
    })
    .join(BETWEEN);
  return result;
}

function fitting(text: string, room: number, unit: Unit): string | null {
  if (measure(text, unit) <= room) return text;
  return room < LEAST ? null : cut(text, room, unit);
}
