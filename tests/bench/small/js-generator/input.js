function* range(start, end, step = 1) {
  for (let i = start; i < end; i += step) yield i;
}
const compose = (...fns) => x => fns.reduceRight((v, f) => f(v), x);
const half = ({ value }) => ({ value: value / 2 });
const scale = factor => ({ value }) => ({ value: value * factor });
function mean(xs) {
  let total = 0, count = 0;
  for (const { value } of xs) {
    total += value;
    count++;
  }
  return total / count;
}
const pipeline = compose(half, scale(3));
const data = [...range(0, 3)].map(i => ({ value: i }));
const out = data.filter(d => d.value > 5).map(pipeline);
console.log("got", mean(out));
