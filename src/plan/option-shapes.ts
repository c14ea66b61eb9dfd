import * as z from 'zod/mini';
import { once } from '../base/once.ts';
import { wholeNumber } from '../base/whole-number.ts';
import { recordShapes } from '../store/record-schema.ts';
import { LARGEST_WHOLE, OPTION_ROWS, type OptionKind, RETIRED_NAMES } from './options.ts';

/** Returns the schema of an option's value. */
function optionShape(row: OptionKind): z.ZodMiniType {
  switch (row.kind) {
    case 'choice':
    case 'grant':
      return z.enum(row.of);
    case 'whole':
      return z.number();
    case 'yes':
      return z.boolean();
    case 'hooks':
      return z.array(z.string());
  }
}

/** Returns the schema of an option's value with its limits, for what people write. */
export const limitedShape = (row: OptionKind): z.ZodMiniType =>
  row.kind === 'whole' ? wholeNumber(row.least, row.most ?? LARGEST_WHOLE) : optionShape(row);

/** Schema of recorded options, including retired options of earlier versions. */
const OptionsShape = once(() => {
  const shapes = OPTION_ROWS.map(([name, row]) => [name, z.optional(optionShape(row))]);
  const retired = RETIRED_NAMES.map((name) => [name, z.optional(z.unknown())]);
  return z.looseObject(Object.fromEntries([...shapes, ...retired]) as Record<string, z.ZodMiniType>);
});

/** Schemas of the record, including the options of installs. */
export const fullRecordShapes = once(() => recordShapes(OptionsShape()));
