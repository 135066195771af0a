function makeBox(size) {
  return { size: { width: size, height: 2 }, name: "box" };
}
function area(box, depth) {
  if (depth > 0) return area({ size: { width: box.size.width, height: 1 } }, depth - 1);
  return -box.size.width * box.size.height;
}
const boxes = [makeBox(3.25), makeBox(7)];
let total = 0;
for (const box of boxes) {
  total = total || area(box, 3);
}
console.log("got", total);
