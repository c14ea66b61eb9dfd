import { createHmac, randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { hmac } from '../../src/fire/warm/hmac.ts';

describe('the HMAC of a proof', () => {
  it('is that of node:crypto, for keys and texts of all lengths', () => {
    for (let length = 0; length < 300; length++) {
      const key = randomBytes(length % 65);
      const text = `${randomBytes(length).toString('base64').slice(0, length)}é\0`;
      expect(hmac(key, text)).toBe(createHmac('sha256', key).update(text).digest('hex'));
    }
  });
});
