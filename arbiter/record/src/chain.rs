//! The chain over the lines of a log: each has the digest of the line before it and its own.

use rules::Digest;

use crate::line::{BadLine, Content, Line};

/// A line of a log, unchanged and in its place, not parsed yet.
#[derive(Debug)]
pub struct RawLine {
    number: usize,
    text: String,
    /// The length of the text before its place in the chain.
    body: usize,
    previous: Digest,
    digest: Digest,
}

impl RawLine {
    /// The line with this number, if it is unchanged and follows the line with this digest.
    pub(crate) fn chained(number: usize, text: String, before: Digest) -> Result<Self, BadLine> {
        let (body, previous, digest) = unchained(&text).map_err(|bad| with_line_end(bad, &text))?;
        if previous != before {
            return Err(BadLine::OutOfChain);
        }
        let body = body.len();
        Ok(RawLine { number, text, body, previous, digest })
    }

    pub fn number(&self) -> usize {
        self.number
    }

    pub fn digest(&self) -> Digest {
        self.digest
    }

    /// Its length in bytes.
    pub(crate) fn length(&self) -> usize {
        self.text.len()
    }

    pub fn parse<C: Content>(&self) -> Result<C, BadLine> {
        let body = &self.text[..self.body];
        let line: C = parse(body).map_err(|error| match other_format::<C>(body) {
            Some(found) => BadLine::OtherFormat { found, expected: C::FORMAT },
            None => BadLine::NotALine(error.to_string()),
        })?;
        // A line has only the spelling that is written, so that exactly what is read is verified.
        let mut spelt = Vec::with_capacity(body.len() + 1);
        serde_json::to_writer(&mut spelt, &line)
            .map_err(|error| BadLine::NotALine(error.to_string()))?;
        if spelt.strip_suffix(b"}") != Some(body.as_bytes()) {
            return Err(BadLine::NotALine("it is not in the form that logs are written in".into()));
        }
        let ends = [self.previous, self.digest].map(|digest| digest.to_string());
        let end = format!(",\"previous\":\"{}\",\"sha256\":\"{}\"}}", ends[0], ends[1]);
        if self.text[self.body..] != end {
            return Err(BadLine::NotALine("it is not in the form that logs are written in".into()));
        }
        Ok(line)
    }
}

/// Splits a line into its content without the last brace, the digest of the line before, and its own.
pub(crate) fn unchained(text: &str) -> Result<(&str, Digest, Digest), BadLine> {
    let (content, own) = text.rsplit_once(",\"sha256\":\"").ok_or(BadLine::NoChain)?;
    let logged =
        own.strip_suffix("\"}").and_then(|own| own.parse().ok()).ok_or(BadLine::NoChain)?;
    let actual = Digest::hash(content.as_bytes());
    if actual != logged {
        return Err(BadLine::Changed { actual, logged, line: readable(content) });
    }
    let (body, previous) = content.rsplit_once(",\"previous\":\"").ok_or(BadLine::NoChain)?;
    let previous =
        previous.strip_suffix('"').and_then(|it| it.parse().ok()).ok_or(BadLine::NoChain)?;
    Ok((body, previous, logged))
}

/// The problem with a line, which may be its line end alone.
fn with_line_end(bad: BadLine, text: &str) -> BadLine {
    match text.strip_suffix('\r').map(unchained) {
        Some(Ok(_)) => BadLine::OtherLineEnd,
        Some(Err(_)) | None => bad,
    }
}

/// The present content of a line that was changed.
fn readable(content: &str) -> Option<Box<Line>> {
    let (body, _) = content.rsplit_once(",\"previous\":\"")?;
    parse(body).ok().map(Box::new)
}

/// A line from its JSON without the last brace.
pub(crate) fn parse<C: Content>(body: &str) -> serde_json::Result<C> {
    serde_json::from_str(&format!("{body}}}"))
}

/// The format that a first line says it has, if this program does not read it: then nothing else in the
/// line need be as expected.
fn other_format<C: Content>(body: &str) -> Option<u64> {
    let line: serde_json::Value = serde_json::from_str(&format!("{body}}}")).ok()?;
    line.get(C::FIRST)?.get("format")?.as_u64().filter(|&format| format != u64::from(C::FORMAT))
}
