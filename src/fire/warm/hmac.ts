/** Constants of SHA-256 (FIPS 180-4, 4.2.2): numbers of 8 hexadecimal digits. */
const CONSTANTS =
  '428a2f9871374491b5c0fbcfe9b5dba53956c25b59f111f1923f82a4ab1c5ed5d807aa9812835b01243185be550c7dc3' +
  '72be5d7480deb1fe9bdc06a7c19bf174e49b69c1efbe47860fc19dc6240ca1cc2de92c6f4a7484aa5cb0a9dc76f988da' +
  '983e5152a831c66db00327c8bf597fc7c6e00bf3d5a7914706ca63511429296727b70a852e1b21384d2c6dfc53380d13' +
  '650a7354766a0abb81c2c92e92722c85a2bfe8a1a81a664bc24b8b70c76c51a3d192e819d6990624f40e3585106aa070' +
  '19a4c1161e376c082748774c34b0bcb5391c0cb34ed8aa4a5b9cca4f682e6ff3748f82ee78a5636f84c878148cc70208' +
  '90befffaa4506cebbef9a3f7c67178f2';
/** The state at the start (5.3.3). */
const START = [
  0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
];
const BLOCK = 64;

type Eight = [number, number, number, number, number, number, number, number];

/** Returns the SHA-256 of some bytes. */
function sha256(data: Uint8Array): Buffer {
  const bytes = Buffer.alloc(Math.ceil((data.length + 9) / BLOCK) * BLOCK);
  bytes.set(data);
  bytes[data.length] = 0x80;
  bytes.writeUInt32BE(data.length * 8, bytes.length - 4);
  const constants = Buffer.from(CONSTANTS, 'hex');
  const k = new Int32Array(BLOCK);
  for (let i = 0; i < BLOCK; i++) k[i] = constants.readInt32BE(4 * i);
  const state = new Int32Array(START);
  const w = new Int32Array(BLOCK);
  for (let at = 0; at < bytes.length; at += BLOCK) {
    for (let i = 0; i < 16; i++) w[i] = bytes.readInt32BE(at + 4 * i);
    for (let i = 16; i < BLOCK; i++) {
      const x = w[i - 15] as number;
      const y = w[i - 2] as number;
      const s0 = ((x >>> 7) | (x << 25)) ^ ((x >>> 18) | (x << 14)) ^ (x >>> 3);
      const s1 = ((y >>> 17) | (y << 15)) ^ ((y >>> 19) | (y << 13)) ^ (y >>> 10);
      w[i] = (w[i - 16] as number) + s0 + (w[i - 7] as number) + s1;
    }
    let [a, b, c, d, e, f, g, h] = state as unknown as Eight;
    for (let i = 0; i < BLOCK; i++) {
      const s1 = ((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7));
      const t1 = (h + s1 + ((e & f) ^ (~e & g)) + (k[i] as number) + (w[i] as number)) | 0;
      const s0 = ((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10));
      const t2 = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      h = g;
      g = f;
      f = e;
      e = (d + t1) | 0;
      d = c;
      c = b;
      b = a;
      a = (t1 + t2) | 0;
    }
    const added = [a, b, c, d, e, f, g, h];
    for (let i = 0; i < 8; i++) state[i] = (state[i] as number) + (added[i] as number);
  }
  const digest = Buffer.alloc(32);
  for (let i = 0; i < 8; i++) digest.writeInt32BE(state[i] as number, 4 * i);
  return digest;
}

/**
 * Returns the HMAC-SHA-256 of a text, in hexadecimal (RFC 2104). `key`: at most 64 bytes. Loading node:crypto takes
 * longer than a fire's two proofs take here.
 */
export function hmac(key: Uint8Array, text: string): string {
  const padded = (fill: number): Buffer => {
    const block = Buffer.alloc(BLOCK, fill);
    for (let i = 0; i < key.length; i++) block[i] = (key[i] as number) ^ fill;
    return block;
  };
  const inner = sha256(Buffer.concat([padded(0x36), Buffer.from(text)]));
  return sha256(Buffer.concat([padded(0x5c), inner])).toString('hex');
}
