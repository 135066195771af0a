#[derive(Debug)]
enum Shape { Circle(i32) }
struct Canvas { shapes: Vec<Shape>, names: Vec<String> }
impl Canvas {
    fn new() -> Self { Canvas { shapes: Vec::new(), names: Vec::new() } }
    fn add(&mut self, shape: Shape) { self.shapes.push(shape); }
    fn total(&self) -> i32 {
        let mut sum = 0;
        for shape in self.shapes.iter() {
            match shape { Shape::Circle(r) => sum += 10 / (r - 3) }
        }
        sum
    }
}
fn main() {
    let mut canvas = Canvas::new();
    canvas.add(Shape::Circle(3));
    canvas.names.push("a".to_string());
    println!("{}", canvas.total());
}
