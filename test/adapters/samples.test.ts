import { describe, expect, it } from 'vitest';
import { samplePayload } from '../../src/app/fire/sample-payload.ts';
import { CLIENTS } from '../../src/clients/index.ts';
import { toolOf } from '../../src/fire/payload.ts';
import { outcomeOf } from '../../src/fire/when/outcome.ts';
import { shapeOf } from '../fire/shapes.ts';

/** Common names of tools, one of each kind. */
const TOOLS = ['Bash', 'Read', 'Edit', 'mcp__memo__note'];

describe.each(CLIENTS)('$title', (client) => {
  const { outcome } = client.conditions;
  const told = Object.entries(outcome).flatMap(([native, rule]) =>
    typeof rule === 'object' && 'signs' in rule ? [{ native, rule }] : [],
  );

  it.skipIf(told.length === 0)('tells the outcome of a tool in its sample payloads', () => {
    for (const { native, rule } of told)
      for (const tool of TOOLS) {
        const payload = samplePayload(client, { native, session: 's' }, { tool, input: {}, cwd: '/' });
        const name = toolOf(payload, shapeOf(client.id, native))?.native ?? '';
        const isUntold = rule.signs.some(({ path, tools }) => path === undefined && tools?.includes(name));
        expect(
          outcomeOf(rule, payload, name),
          `events.ts: \`sample\` or \`toolSamples\` of ${native}, for ${tool}`,
        ).toBe(isUntold ? undefined : 'success');
      }
  });
});
