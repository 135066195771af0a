const stores = new Map();
function register(name, { price, tax = 0 }) {
  stores.set(name, { price, tax });
}
function totals(...names) {
  return names.map((name) => {
    const { price, tax } = stores.get(name);
    return { name, total: -price + tax };
  });
}
register("a", { price: 3.25 });
register("b", { price: 4, tax: 2 });
for (const { total } of totals("a", "b")) {
  console.log("got", total);
}
