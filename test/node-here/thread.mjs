// Runs the programs of hook scripts for test/node-here/start.ts, in a thread of the tests' process: it goes on while the
// tests wait for a hook.
import { closeSync, constants, openSync, readFileSync, readlinkSync, writeSync } from 'node:fs';
import { createRequire } from 'node:module';
import { Socket } from 'node:net';
import { basename, dirname, isAbsolute, join } from 'node:path';
import { Script } from 'node:vm';
import { workerData } from 'node:worker_threads';

const { asks, runtime, counts } = workerData;
const require = createRequire(import.meta.url);
const fs = require('node:fs');
const processes = require('node:child_process');
const net = require('node:net');

/** The built programs that may run here, by name. */
const programs = new Map(
  ['start.cjs', 'fire.cjs', 'conditions.cjs', 'call.cjs', 'warm.cjs'].map((name) => {
    const bytes = readFileSync(join(runtime, name));
    const source = `(function (exports, require, module, __filename, __dirname, process, setInterval) {${bytes}\n})`;
    return [name, { bytes, run: new Script(source, { filename: name }).runInThisContext() }];
  }),
);

/** Of each stand-in, that a real node has run; with MCPHOOKS_TEST=all, for which clients. */
const known = new Set();
const ALL = process.env.MCPHOOKS_TEST === 'all';

/** Returns what the stand-in with this id was started with; undefined when a real node has to run it. */
function startOf(pid) {
  try {
    const strings = (file) => readFileSync(`/proc/${pid}/${file}`, 'utf8').split('\0').slice(0, -1);
    const [, standIn, ...words] = strings('cmdline');
    const [path = '', shim] = words;
    const [program, folder] = [basename(path), dirname(path)];
    if (!['start.cjs', 'fire.cjs'].includes(program) || words.length !== 4) return undefined;
    const { client, server_at } = JSON.parse(readFileSync(`${shim}.json`, 'utf8'));
    if (client === undefined || (server_at && !/s\/node$/.test(standIn))) return undefined;
    if (server_at?.keep && !/ks\/node$/.test(standIn)) return undefined;
    // A test may have changed them.
    for (const [name, { bytes }] of programs) {
      if (name === 'start.cjs' && name !== program) continue;
      if (name === 'warm.cjs' && !server_at?.keep) continue;
      const there = readFileSync(join(folder, name), { flag: constants.O_RDONLY | constants.O_NONBLOCK });
      if (!there.equals(bytes)) return undefined;
    }
    const kind = ALL ? `${standIn} ${client}` : standIn;
    if (!known.has(kind)) {
      known.add(kind);
      return undefined;
    }
    const cwd = readlinkSync(`/proc/${pid}/cwd`);
    fs.statSync(cwd);
    const env = Object.fromEntries(
      strings('environ').map((line) => {
        const at = line.indexOf('=');
        return [line.slice(0, at), line.slice(at + 1)];
      }),
    );
    return { pid, words, folder, env, cwd, input: readFileSync(`/proc/${pid}/fd/5`) };
  } catch {
    return undefined;
  }
}

/** Runs fire.cjs as node would with this start; resolves with what it prints when it exits. */
function run({ pid, words, folder, env, cwd, input }) {
  const begun = performance.now();
  const printed = [];
  const timers = [];
  const sockets = [];
  const children = [];
  return new Promise((resolve) => {
    const values = {
      argv: [process.execPath, ...words],
      env,
      pid,
      cwd: () => cwd,
      uptime: () => (performance.now() - begun) / 1000,
      exit: () => {
        for (const timer of timers) clearInterval(timer);
        // They end with a process, which then hears nothing of it: a watcher ends what the fire left.
        for (const socket of sockets)
          socket
            .removeAllListeners()
            .on('error', () => {})
            .destroy();
        for (const child of children) child.stdin?.destroy();
        resolve(Buffer.concat(printed));
      },
      // Its script ends the stand-in, and the server's input ends with this fire.
      on: () => {},
    };
    const its = Object.create(
      process,
      Object.fromEntries(Object.entries(values).map(([name, value]) => [name, { value }])),
    );
    const itsFs = {
      ...fs,
      readFileSync: (file, ...more) => {
        if (file !== 0) return fs.readFileSync(file, ...more);
        return more.length === 0 ? input : input.toString(more[0]);
      },
      writeSync: (fd, bytes, ...more) => {
        if (fd !== 1) return fs.writeSync(fd, bytes, ...more);
        const [at = 0] = more;
        printed.push(Buffer.from(bytes.subarray(at)));
        return bytes.length - at;
      },
    };
    const itsProcesses = {
      ...processes,
      spawn: (command, words, how) => {
        const child = processes.spawn(command, words, { cwd, env, ...how });
        children.push(child);
        return child;
      },
      spawnSync: (command, words, how) => processes.spawnSync(command, words, { cwd, env, ...how }),
    };
    const itsNet = {
      ...net,
      connect: (...to) => {
        const socket = net.connect(...to);
        sockets.push(socket);
        return socket;
      },
    };
    const every = (...more) => {
      const timer = setInterval(...more);
      timers.push(timer);
      return timer;
    };
    const loaded = new Map();
    const load = (id) => {
      if (!isAbsolute(id)) {
        if (/^(node:)?child_process$/.test(id)) return itsProcesses;
        if (/^(node:)?net$/.test(id)) return itsNet;
        return /^(node:)?fs$/.test(id) ? itsFs : require(id);
      }
      const module = loaded.get(id) ?? { exports: {} };
      if (!loaded.has(id)) {
        loaded.set(id, module);
        programs.get(basename(id)).run(module.exports, load, module, id, folder, its, every);
      }
      return module.exports;
    };
    load(join(folder, 'fire.cjs'));
  });
}

function write(file, bytes) {
  const fd = openSync(file, constants.O_WRONLY | constants.O_APPEND);
  for (let at = 0; at < bytes.length; ) at += writeSync(fd, bytes, at);
  closeSync(fd);
}

async function answer(pid) {
  const start = startOf(pid);
  Atomics.add(counts, start ? 0 : 1, 1);
  try {
    if (start) write(`/proc/${pid}/fd/6`, await run(start));
  } catch (error) {
    // The hook printed nothing, which its test sees.
    console.error(`A hook in the tests' process failed: ${error.stack}`);
  }
  try {
    write(`/proc/${pid}/fd/4`, Buffer.from(start ? 'done\n' : 'node\n'));
  } catch {
    // Its script has ended it.
  }
}

let rest = '';
new Socket({ fd: openSync(asks, constants.O_RDWR | constants.O_NONBLOCK), readable: true, writable: false })
  .setEncoding('latin1')
  .on('data', (text) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop();
    for (const pid of lines) void answer(pid);
  });
