/** The system's files, with a fault at chosen operations. */
import { type AppendFile, type Files, nodeFiles } from '../../../src/io/journal/files.ts';

export type Operation = 'create' | 'append' | 'size' | 'isInPlace' | 'sync' | 'close' | 'rename' | 'remove';

export interface Call {
  readonly operation: Operation;
  readonly path: string;
  /** Counts all calls of that operation, from 0. */
  readonly count: number;
}

export function errno(code: string): Error {
  return Object.assign(new Error(code), { code });
}

/** `fault` gives the code of the error that the call is to end with; it is then not carried out. */
export function faultyFiles(fault: (call: Call) => string | undefined, calls: Call[] = []): Files {
  const counts = new Map<Operation, number>();
  async function guarded<T>(operation: Operation, path: string, action: () => Promise<T>): Promise<T> {
    const count = counts.get(operation) ?? 0;
    counts.set(operation, count + 1);
    const call = { operation, path, count };
    calls.push(call);
    const code = fault(call);
    if (code !== undefined) throw errno(code);
    return action();
  }
  const wrapped = (path: string, file: AppendFile): AppendFile => ({
    append: (parts) => guarded('append', path, () => file.append(parts)),
    size: () => guarded('size', path, () => file.size()),
    isInPlace: () => guarded('isInPlace', path, () => file.isInPlace()),
    sync: () => guarded('sync', path, () => file.sync()),
    close: async () => {
      await file.close();
      await guarded('close', path, async () => undefined);
    },
  });
  return {
    ...nodeFiles,
    create: (path) => guarded('create', path, async () => wrapped(path, await nodeFiles.create(path))),
    rename: (from, to) => guarded('rename', from, () => nodeFiles.rename(from, to)),
    remove: (path) => guarded('remove', path, () => nodeFiles.remove(path)),
  };
}
