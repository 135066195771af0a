const EventEmitter = require('events');
const util = require('util');
function memo(fn) {
  const cache = new Map();
  return function (...args) {
    const key = JSON.stringify(args);
    if (!cache.has(key)) cache.set(key, fn.apply(this, args));
    return cache.get(key);
  };
}
const escape = memo((text) => text.replace(/[&<>]/g, (c) => ({ '&': '&amp;', '<': '&lt;' }[c])));
class Template extends EventEmitter {
  static helpers = { upper: (s) => s.toUpperCase(), join: (list, sep = ', ') => list.join(sep) };
  constructor(source, options) {
    super();
    this.source = source;
    this.options = Object.assign({ strict: true }, options);
    this.parts = [...source.matchAll(/\{\{(\w+)(?:\|(\w+))?\}\}|[^{]+/g)];
  }
  *pieces(data) {
    for (const [whole, name, helper] of this.parts) {
      if (!name) { yield whole; continue; }
      let value = data[name];
      if (value === undefined && this.options.strict) this.emit('missing', name);
      yield helper ? Template.helpers[helper](value) : escape(String(value));
    }
  }
  render(data) {
    let out = '';
    for (const piece of this.pieces(data)) out += piece;
    return out.trim();
  }
}
const templates = {
  greet: new Template('Hello {{name|upper}}, you have {{count}} <mails> from {{senders|join}}.'),
};
for (const [key, template] of Object.entries(templates)) {
  template.on('missing', (name) => { template.last = name; });
  const text = template.render({ name: 'ann', count: 3 });
  console.log(util.format('%s: %s', key, text));
}
