"use strict";
class EventBus {
  #handlers = new Map();
  on(name, handler) {
    if (!this.#handlers.has(name)) this.#handlers.set(name, []);
    this.#handlers.get(name).push(handler);
    return this;
  }
  emit(name, ...args) {
    for (const handler of this.#handlers.get(name) ?? []) handler(...args);
  }
}
const cart = { items: [{ sku: "a", qty: 2 }, { sku: "b", qty: 1 }], prices: { a: { total: 3 } } };
function sum({ items, prices }) {
  return items.reduce((acc, { sku, qty }) => acc + prices[sku].total * qty, 0);
}
const bus = new EventBus();
bus.on("checkout", (c, { currency = "EUR" } = {}) => {
  console.log(`${sum(c)} ${currency}`);
}).on("log", console.log);
bus.emit("checkout", cart, { currency: "USD" });
