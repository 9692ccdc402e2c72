//! Lines of text next to a label.

use std::iter;

/// Lines with a label before the first of them, which is `width` wide; the others begin below it.
pub(crate) fn labelled(label: &str, width: usize, lines: &[impl AsRef<str>]) -> Vec<String> {
    let labels = iter::once(label).chain(iter::repeat(""));
    let line = |(line, label): (&_, &str)| {
        let line: &str = AsRef::as_ref(line);
        format!("{label:width$}  {line}").trim_end().to_owned()
    };
    lines.iter().zip(labels).map(line).collect()
}
