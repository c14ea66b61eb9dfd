import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { isObject } from '../../src/base/json-value.ts';
import { CLIENTS } from '../../src/clients/index.ts';
import { USUAL_OUTPUT } from '../../src/clients/protocol.ts';
import { at, type Payload, textAt, toolOf } from '../../src/fire/payload.ts';
import { documentFor, endOf, outputOf } from '../../src/fire/text/render.ts';
import { outcomeOf } from '../../src/fire/when/outcome.ts';
import { touchedFiles } from '../../src/fire/when/touched-files.ts';
import { lacksField } from '../../src/lint/input-fields.ts';
import { SAMPLES, sent } from '../fire/payloads.ts';
import { shapeOf } from '../fire/shapes.ts';
import { capturedAs } from '../fire/world.ts';

const PAYLOADS = fileURLToPath(new URL('../fixtures/payloads', import.meta.url));

/** Payloads that a real client sent: `<native event>[.<what is special>].json`. */
function captured(id: string): { name: string; payload: Payload }[] {
  const folder = join(PAYLOADS, id);
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => ({
      name,
      payload: capturedAs(name, JSON.parse(readFileSync(join(folder, name), 'utf8'))),
    }));
}

describe.each(CLIENTS)('$title', ({ id, natives, protocol, conditions, tools }) => {
  const payloads = captured(id);

  describe(`test/fixtures/samples/${id}.json`, () => {
    /** The payload of a sample, and what a failure names. */
    const sampleOf = (what: keyof (typeof SAMPLES)[typeof id]) => {
      const file = `${SAMPLES[id][what]}.json`;
      const found = payloads.find(({ name }) => name === file);
      if (!found) throw new Error(`${what}: test/fixtures/payloads/${id}/${file} is missing`);
      const told = sent(id, found.payload);
      expect(told.native, `${file}: protocol.input.event`).not.toBe('undefined');
      return { ...found, ...told, input: at(found.payload, protocol.input.toolInput) };
    };

    it('shell: a tool of `conditions.shell`, with a command', () => {
      const { name, tool, input } = sampleOf('shell');
      expect(Object.keys(conditions.shell), `${name}: protocol.input.toolName`).toContain(tool);
      expect(at(input, conditions.shell[tool]) ?? '', `${name}: conditions.shell.${tool}`).toMatch(/./);
    });

    it('edit: a tool of `conditions.kinds.edit`, with a path', () => {
      const { name, tool, input } = sampleOf('edit');
      expect(conditions.kinds.edit, `${name}: protocol.input.toolName`).toContain(tool);
      // A tool without fields of its own would be read by common names.
      const fields = conditions.files[tool];
      expect(fields, `${name}: conditions.files.${tool}`).toBeDefined();
      expect(touchedFiles(input, fields, '/'), `${name}: conditions.files.${tool}`).not.toEqual([]);
    });

    it('no input has a field that lint says its tool lacks', () => {
      for (const { name, payload } of payloads) {
        const input = at(payload, protocol.input.toolInput);
        const tool = String(at(payload, protocol.input.toolName));
        const lacking = Object.keys(isObject(input) ? input : {}).filter((field) =>
          lacksField(conditions, tool, field),
        );
        expect(lacking, `${name}: ${tool}`).toEqual([]);
      }
    });

    it('own: a tool of a server, by its name and by the fields that tell it', () => {
      const { name, payload, native } = sampleOf('own');
      const shape = shapeOf(id, native);
      const tool = toolOf(payload, shape);
      expect(tool?.servers, `${name}: tools.mcp.name, tools.payload.server`).not.toEqual([]);
      expect(tool?.names.join() ?? '', `${name}: tools.mcp.name, tools.payload.tool`).toMatch(/^mcp__.+__./);
      for (const [field, path] of Object.entries(tools.payload))
        expect(at(payload, path) ?? '', `${name}: tools.payload.${field}`).toMatch(/./);
    });

    it('prompt: the text of the prompt', () => {
      const { name, payload, native } = sampleOf('prompt');
      expect(natives[native]?.prompt, `natives.${native}.prompt`).toBeDefined();
      expect(at(payload, natives[native]?.prompt) ?? '', `${name}: natives.${native}.prompt`).toMatch(/./);
    });

    it('start: a word that `conditions.source` knows', () => {
      const { name, payload, native } = sampleOf('start');
      const { source } = conditions;
      if ('always' in source) return;
      expect(native, `${name}: conditions.source.native`).toBe(source.native);
      expect(Object.keys(source.words), `${name}: conditions.source.path`).toContain(
        at(payload, source.path),
      );
    });
  });

  it('has the session’s folder at `cwd`, if anywhere', () => {
    const elsewhere = payloads.filter(
      ({ payload }) => !('cwd' in payload) && Object.values(payload).includes('<PROJECT>'),
    );
    expect(
      elsewhere.map(({ name }) => name),
      'conditions of paths read `cwd` alone: src/clients/protocol.ts needs a field for another name (HookInput)',
    ).toEqual([]);
  });

  it('shows each sign of an outcome in a captured payload', () => {
    for (const [native, rule] of Object.entries(conditions.outcome)) {
      if (typeof rule !== 'object') continue;
      const own = payloads.filter(({ payload }) => sent(id, payload).native === native);
      if ('is' in rule) {
        const unclear = own.filter(
          ({ payload }) => outcomeOf(rule, payload, sent(id, payload).tool) !== rule.is,
        );
        expect(unclear, `conditions.outcome.${native}: no payload has ${rule.unless}`).not.toEqual([]);
        for (const { payload } of own)
          expect(JSON.stringify(payload).includes(rule.holds)).toBe(
            unclear.some((one) => one.payload === payload),
          );
        continue;
      }
      for (const { path, tools: names } of rule.signs) {
        if (path === undefined) continue;
        const shown = own.filter(
          ({ payload }) =>
            at(payload, path) !== undefined && (!names || names.includes(sent(id, payload).tool)),
        );
        expect(
          shown,
          `conditions.outcome.${native}: no payload of ${names ?? 'a tool'} has ${path}`,
        ).not.toEqual([]);
      }
      const outcomes = own.map(({ payload }) => outcomeOf(rule, payload, sent(id, payload).tool));
      expect(outcomes, `conditions.outcome.${native}: it finds a success in no payload`).toContain('success');
      if (!rule.onlySuccess)
        expect(outcomes, `conditions.outcome.${native}: it finds a failure in no payload`).toContain(
          'failure',
        );
    }
  });

  it.each(Object.keys(natives))('%s has a captured payload, and is said to look as that does', (native) => {
    const own = payloads.filter(({ payload }) => sent(id, payload).native === native);
    const missing = `test/fixtures/payloads/${id}/ lacks ${native}.json or ${native}.<what is special>.json`;
    expect(
      own.map(({ name }) => name.split('.')[0]),
      missing,
    ).toContain(native);
    const shape = shapeOf(id, native);
    const { matchesTools, output, turnEnd, continuation, oncePer } = natives[native] ?? {};
    expect(continuation && oncePer, `natives.${native}: not both (NativeEvent.oncePer)`).toBeUndefined();
    for (const { name, payload } of own) {
      expect(textAt(payload, shape.session) ?? '', `${name}: protocol.input.session`).toMatch(/./);
      if (turnEnd)
        expect(textAt(payload, turnEnd), `${name}: natives.${native}.turnEnd`).toMatch(/^\d{4}-|\//);
      if (continuation) expect(String(at(payload, continuation.time)), name).toMatch(/^\d{4}/);
      if (!matchesTools) continue;
      expect(toolOf(payload, shape)?.names, `${name}: protocol.input.toolName`).not.toEqual([]);
      expect(at(payload, shape.toolInput), `${name}: protocol.input.toolInput`).toBeDefined();
      if (output) expect(at(payload, output), `${name}: natives.${native}.output`).toBeDefined();
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
