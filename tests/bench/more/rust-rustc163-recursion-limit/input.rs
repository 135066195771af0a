//! A small notebook format: values are written as indented text to anything that can be written to.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;
use std::io::{self, BufWriter, Write};

/// What a notebook can hold.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    Nothing,
    Flag(bool),
    Number(f64),
    Text(String),
    List(Vec<Value>),
    Table(BTreeMap<String, Value>),
}

#[derive(Debug)]
pub enum Error {
    Io(io::Error),
    NotFinite { path: String },
    TooDeep(usize),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Io(error) => write!(f, "cannot write: {error}"),
            Error::NotFinite { path } => write!(f, "{path} is not a finite number"),
            Error::TooDeep(depth) => write!(f, "{depth} levels are too many"),
        }
    }
}

impl std::error::Error for Error {}

impl From<io::Error> for Error {
    fn from(error: io::Error) -> Self {
        Error::Io(error)
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Value::Text(text.to_owned())
    }
}

impl From<f64> for Value {
    fn from(number: f64) -> Self {
        Value::Number(number)
    }
}

impl From<bool> for Value {
    fn from(flag: bool) -> Self {
        Value::Flag(flag)
    }
}

impl<T: Into<Value>> From<Vec<T>> for Value {
    fn from(items: Vec<T>) -> Self {
        Value::List(items.into_iter().map(Into::into).collect())
    }
}

impl<T: Into<Value>> From<Option<T>> for Value {
    fn from(item: Option<T>) -> Self {
        item.map_or(Value::Nothing, Into::into)
    }
}

/// How a notebook looks.
#[derive(Debug, Clone, Copy)]
pub struct Style {
    pub indent: usize,
    pub deepest: usize,
    pub bullet: char,
}

impl Default for Style {
    fn default() -> Self {
        Style { indent: 2, deepest: 32, bullet: '-' }
    }
}

/// Begins each line with the blanks of its level.
pub struct Indented<W> {
    inner: W,
    width: usize,
    fresh: bool,
}

impl<W: Write> Indented<W> {
    pub fn new(inner: W, width: usize) -> Self {
        Indented { inner, width, fresh: true }
    }
}

impl<W: Write> Write for Indented<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        for piece in bytes.split_inclusive(|&byte| byte == b'\n') {
            if self.fresh && piece != b"\n" {
                write!(self.inner, "{:1$}", "", self.width)?;
            }
            self.inner.write_all(piece)?;
            self.fresh = piece.ends_with(b"\n");
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

fn quoted(text: &str) -> Cow<'_, str> {
    if text.chars().all(|c| c.is_alphanumeric() || c == '_') && !text.is_empty() {
        Cow::Borrowed(text)
    } else {
        Cow::Owned(format!("{text:?}"))
    }
}

/// Writes one value, its parts on lines of their own, a level deeper.
fn write_value<W: Write>(out: &mut W, value: &Value, style: Style, path: &mut Vec<String>) -> Result<(), Error> {
    if path.len() > style.deepest {
        return Err(Error::TooDeep(path.len()));
    }
    match value {
        Value::Nothing => writeln!(out, "nothing")?,
        Value::Flag(flag) => writeln!(out, "{}", if *flag { "yes" } else { "no" })?,
        Value::Number(number) if !number.is_finite() => {
            return Err(Error::NotFinite { path: path.join(".") });
        }
        Value::Number(number) => writeln!(out, "{number}")?,
        Value::Text(text) => writeln!(out, "{}", quoted(text))?,
        Value::List(items) => {
            writeln!(out, "{} items", items.len())?;
            let mut deeper = Indented::new(out, style.indent);
            for (place, item) in items.iter().enumerate() {
                write!(deeper, "{} ", style.bullet)?;
                path.push(place.to_string());
                write_value(&mut deeper, item, style, path)?;
                path.pop();
            }
        }
        Value::Table(entries) => {
            writeln!(out)?;
            for (name, entry) in entries {
                write!(out, "{}: ", quoted(name))?;
                path.push(name.clone());
                write_value(out, entry, style, path)?;
                path.pop();
            }
        }
    }
    Ok(())
}

/// Counts what was written.
pub struct Counting<W> {
    inner: W,
    pub bytes: u64,
}

impl<W: Write> Write for Counting<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.inner.write(bytes)?;
        self.bytes += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

/// A notebook: values with names, in the order of their names.
#[derive(Debug, Default)]
pub struct Notebook {
    entries: BTreeMap<String, Value>,
    style: Style,
}

impl Notebook {
    pub fn with_style(style: Style) -> Self {
        Notebook { style, ..Default::default() }
    }

    pub fn insert(&mut self, name: impl Into<String>, value: impl Into<Value>) -> &mut Self {
        self.entries.insert(name.into(), value.into());
        self
    }

    pub fn merge(&mut self, other: Notebook) {
        for (name, value) in other.entries {
            match (self.entries.get_mut(&name), value) {
                (Some(Value::List(known)), Value::List(new)) => known.extend(new),
                (Some(Value::Table(known)), Value::Table(new)) => known.extend(new),
                (_, value) => {
                    self.entries.insert(name, value);
                }
            }
        }
    }

    /// Writes all entries, and returns the number of bytes.
    pub fn save<W: Write>(&self, target: W) -> Result<u64, Error> {
        let mut out = Counting { inner: BufWriter::new(target), bytes: 0 };
        let mut path = Vec::new();
        for (name, value) in &self.entries {
            write!(out, "{}: ", quoted(name))?;
            path.push(name.clone());
            write_value(&mut out, value, self.style, &mut path)?;
            path.clear();
        }
        out.flush()?;
        Ok(out.bytes)
    }
}

fn main() {
    let mut notebook = Notebook::default();
    notebook
        .insert("title", "A walk")
        .insert("kilometres", vec![4.5, 7.25, 11.0])
        .insert("rain", None::<bool>)
        .insert("stops", vec![vec!["mill", "bridge"], vec!["old town"]]);
    let mut later = Notebook::with_style(Style { bullet: '*', ..Style::default() });
    later.insert("kilometres", vec![3.0]).insert("rain", true);
    notebook.merge(later);
    match notebook.save(io::stdout().lock()) {
        Ok(bytes) => eprintln!("{bytes} bytes"),
        Err(error) => eprintln!("{error}"),
    }
}
