import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { CLIENTS } from '../../src/clients/index.ts';
import { USUAL_OUTPUT } from '../../src/clients/protocol.ts';
import { at, type Payload, textAt, toolOf } from '../../src/fire/payload.ts';
import { documentFor, endOf, outputOf } from '../../src/fire/render.ts';
import { shapeOf } from '../fire/shapes.ts';

const PAYLOADS = fileURLToPath(new URL('../fixtures/payloads', import.meta.url));

/** Payloads that a real client sent: `<native event>[.<what is special>].json`. */
function captured(id: string): { name: string; payload: Payload }[] {
  const folder = join(PAYLOADS, id);
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => ({ name, payload: JSON.parse(readFileSync(join(folder, name), 'utf8')) }));
}

describe.each(CLIENTS)('$title', ({ id, natives, protocol }) => {
  const payloads = captured(id);

  it.each(Object.keys(natives))('%s has a captured payload, and is said to look as that does', (native) => {
    const own = payloads.filter(({ payload }) => at(payload, protocol.input.event) === native);
    expect(own.map(({ name }) => name.split('.')[0])).toContain(native);
    const shape = shapeOf(id, native);
    const { matchesTools, output, turnEnd, continuation } = natives[native] ?? {};
    for (const { name, payload } of own) {
      expect(textAt(payload, shape.session), name).toMatch(/./);
      if (turnEnd) expect(textAt(payload, turnEnd), name).toMatch(/^\d{4}-/);
      if (continuation) expect(textAt(payload, continuation.time), name).toMatch(/^\d{4}-/);
      if (!matchesTools) continue;
      expect(toolOf(payload, shape)?.names, name).not.toEqual([]);
      expect(at(payload, shape.toolInput), name).toBeDefined();
      if (output) expect(at(payload, output), name).toBeDefined();
    }
  });

  it('reads each document that its hooks print, and takes it for whole only when it is', () => {
    for (const [native, { outputName = native }] of Object.entries(natives)) {
      const output = outputOf(outputName, protocol.output);
      const document = documentFor(output, 'Say "x"}} and }}}.');
      for (const path of output.text) expect(at(JSON.parse(document), path)).toBe('Say "x"}} and }}}.');
      expect(document.indexOf(endOf(output))).toBe(document.length - endOf(output).length);
      expect(document.startsWith('{"')).toBe(true);
    }
    expect((protocol.output ?? USUAL_OUTPUT).text.length).toBeGreaterThan(0);
  });
});
