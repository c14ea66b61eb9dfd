import type { Finding } from '../../inspect/doctor/types.ts';
import { findingWords } from '../../messages/findings.ts';
import { whereText } from '../../messages/words.ts';
import type { FindingDocument } from './schemas/parts.ts';

export function findingJson(finding: Finding): FindingDocument {
  const { code, server, scope, client } = finding;
  const { what, fix } = findingWords(finding);
  const where = whereText(finding.where);
  return {
    code,
    ...(server !== undefined && { server }),
    ...(scope && { scope }),
    ...(client && { client }),
    ...(where && { where }),
    message: what,
    ...(fix && { fix }),
  };
}
