//! Lines of JSON for programs.

use std::io::{self, Write};

use serde::{Serialize, Serializer};

/// Writes values as JSON, a line each, as they come.
#[derive(Debug)]
pub(crate) struct JsonLines<W> {
    out: W,
}

impl<W: Write> JsonLines<W> {
    /// Writes to `out`.
    pub(crate) fn new(out: W) -> Self {
        JsonLines { out }
    }

    pub(crate) fn line(&mut self, line: &impl Serialize) -> io::Result<()> {
        serde_json::to_writer(&mut self.out, line)?;
        writeln!(self.out)?;
        self.out.flush()
    }

    /// Writes an object whose only key names the kind of the line, with this value.
    pub(crate) fn named(&mut self, kind: &str, value: &impl Serialize) -> io::Result<()> {
        serde_json::Serializer::new(&mut self.out).collect_map([(kind, value)])?;
        writeln!(self.out)?;
        self.out.flush()
    }
}
