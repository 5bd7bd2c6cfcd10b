import * as z from 'zod';

type Refuse = (problem: string) => typeof z.NEVER;

/**
 * What a schema read, made into something else: as its `.transform`, for what is read for every document. The library's own puts a function
 * on each value that it reads, where a property is assigned, and V8 makes such a function old at once, with all that it holds: every document
 * stayed until the next full collection of garbage.
 */
export function madeOf<From extends z.ZodType, Made>(
  from: From,
  make: (read: z.output<From>, refuse: Refuse) => Made,
) {
  const made = new z.core.$ZodTransform({
    type: 'transform',
    transform: (read, payload) =>
      make(read as z.output<From>, (problem) => {
        payload.issues.push(z.core.util.issue(problem, read, made));
        return z.NEVER;
      }),
  }) as z.core.$ZodTransform<Made, z.output<From>>;
  return z.pipe(from, made);
}
