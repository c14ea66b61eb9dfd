// Loads the hook runtime of Cursor out of npm @cursor/sdk, without the agent around it, which needs Cursor's servers.
// The package is bundled by webpack: its modules are read as they are, and what isn't there is a stub.
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire, isBuiltin } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const FACTORY = /function (\w+)\(e=\{\}\)\{return\{createHooksRuntime:/;

/** @param {string} sdk folder of the package */
export async function loadRuntime(sdk) {
  const folder = join(sdk, 'dist/esm');
  const chunks = readdirSync(folder).filter((name) => /^\d+(\.index)?\.js$/.test(name));
  const modules = {};
  for (const name of chunks) {
    const chunk = await import(pathToFileURL(join(folder, name)).href).catch(() => ({}));
    Object.assign(modules, chunk.__webpack_esm_modules__);
  }
  const [id, text] = Object.entries(modules)
    .map(([id, module]) => [id, String(module)])
    .find(([, text]) => FACTORY.test(text));
  modules[id] = opened(id, text);
  const { factory, Accessor, symbols } = requireFrom(modules, sdk)(id).opened;
  const { version } = JSON.parse(readFileSync(join(sdk, 'package.json'), 'utf8'));
  return { version, factory, Accessor, symbols };
}

/** The module with what a driver needs of it, under its names in this version. */
function opened(id, text) {
  const name = (pattern) => pattern.exec(text)?.[1] ?? 'undefined';
  const factory = name(FACTORY);
  const accessor = name(
    /class (\w+)\{(?:innerAccessor;|constructor\(e,t,r,n,o,i,s\)\{this\.innerAccessor=|get\(e\)\{(?:var t;)?if\(e\.symbol)/,
  );
  const chain = /if\(e\.symbol===[\s\S]*?\}\*entries\(\)/.exec(text)?.[0] ?? '';
  const symbols = [...chain.matchAll(/e\.symbol===([\w.]+)\.symbol/g)].map(([, one]) => one);
  const exported = /^[^(]*\(\w+,\s*(\w+)/.exec(text)?.[1];
  const lazily = `Object.defineProperty(${exported},"opened",{get:()=>({factory:${factory},Accessor:${accessor},symbols:[${symbols}]})});`;
  return new Function(`return {${text.replace('{', () => `{${lazily}`)}}`)()[id];
}

/** The require function of webpack, for modules that are there or that node has. */
function requireFrom(modules, sdk) {
  const nodeRequire = createRequire(join(sdk, 'package.json'));
  const cache = {};
  function load(id) {
    if (cache[id]) return cache[id].exports;
    const module = { exports: {}, id, loaded: false };
    cache[id] = module;
    if (!modules[id]) {
      module.exports = outside(id);
      return module.exports;
    }
    modules[id].call(module.exports, module, module.exports, load);
    module.loaded = true;
    return module.exports;
  }
  const outside = (id) => {
    const bare = id.replace(/^external (module )?"?|"$|\?\w+$/g, '');
    try {
      return isBuiltin(bare) || !bare.startsWith('.') ? asNamespace(nodeRequire(bare)) : stub(id);
    } catch {
      return stub(id);
    }
  };
  load.d = (target, getters) => {
    for (const [key, get] of Object.entries(getters))
      if (!Object.hasOwn(target, key)) Object.defineProperty(target, key, { enumerable: true, get });
  };
  load.r = (target) => Object.defineProperty(target, '__esModule', { value: true });
  load.o = (object, key) => Object.hasOwn(object, key);
  load.n = (module) => {
    const get = module?.__esModule ? () => module.default : () => module;
    load.d(get, { a: get });
    return get;
  };
  load.g = globalThis;
  load.e = async () => {};
  load.t = (value) => value;
  load.hmd = (module) => module;
  load.nmd = (module) => module;
  load.a = (_, run) =>
    run(
      () => [],
      () => {},
    );
  load.p = '';
  load.m = modules;
  load.c = cache;
  load.C = () => {};
  return load;
}

const asNamespace = (module) =>
  typeof module === 'function'
    ? new Proxy(module, { get: (target, key) => (key === 'default' ? target : Reflect.get(target, key)) })
    : { ...module, default: module };

function stub(id) {
  // An arrow function is no constructor.
  function any() {
    return stub(id);
  }
  return new Proxy(any, {
    get: (_, key) => {
      if (key === Symbol.toPrimitive) return () => id;
      if (key === '__esModule') return true;
      return key === 'prototype' ? any.prototype : stub(`${id}.${String(key)}`);
    },
    // A message to Cursor's servers: its fields are what they would be told.
    construct: (_, [fields]) => ({ ...fields }),
    apply: () => stub(id),
  });
}
