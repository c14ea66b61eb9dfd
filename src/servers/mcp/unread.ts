/**
 * Most bytes of ours that a server over stdio may leave unread before its own requests get no reply: it may send any
 * number of them.
 */
export const MOST_UNREAD_BYTES = 1_000_000;
