//! Tables of text in columns, and what stands in them.

use std::iter;

use unicode_width::UnicodeWidthStr;

/// `21.32 ± 0.41`, or only the mean if there is no interval.
pub fn with_interval(mean: f64, unit: &str, decimals: usize, plus_minus: Option<f64>) -> String {
    match plus_minus {
        Some(half) => format!("{mean:.decimals$}{unit} ± {half:.decimals$}"),
        None => format!("{mean:.decimals$}{unit}"),
    }
}

/// `324 (184 to 534)`, or `> 184` where an interval has a lower end only.
pub fn with_ends(value: f64, decimals: usize, ends: Ends) -> String {
    match ends {
        (None, None) => format!("{value:.decimals$}"),
        (Some(low), None) => format!("> {low:.decimals$}"),
        (None, Some(high)) => format!("< {high:.decimals$}"),
        (Some(low), Some(high)) => {
            format!("{value:.decimals$} ({low:.decimals$} to {high:.decimals$})")
        }
    }
}

/// The ends of an interval, lower and upper, as far as there are any.
pub type Ends = (Option<f64>, Option<f64>);

/// Columns as wide as they must be: this number of the first ones to the left, the others to the
/// right.
pub fn aligned(rows: &[Vec<String>], left: usize) -> String {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let widths: Vec<usize> = (0..columns)
        .map(|column| {
            let cells = rows.iter().filter_map(|row| row.get(column));
            cells.map(|cell| width(cell)).max().unwrap_or(0)
        })
        .collect();
    let mut text = String::new();
    for row in rows {
        for (column, (cell, to)) in row.iter().zip(&widths).enumerate() {
            if column > 0 {
                text.push_str("  ");
            }
            text.push_str(&match column < left {
                true => padded(cell, *to),
                false => format!("{}{cell}", " ".repeat(to.saturating_sub(width(cell)))),
            });
        }
        text.push('\n');
    }
    text
}

/// Lines with a label before the first of them, which is `width` wide; the others begin below it.
pub fn labelled(label: &str, width: usize, lines: &[impl AsRef<str>]) -> Vec<String> {
    let labels = iter::once(label).chain(iter::repeat(""));
    let line = |(line, label): (&_, &str)| {
        let line: &str = AsRef::as_ref(line);
        format!("{label:width$}  {line}").trim_end().to_owned()
    };
    lines.iter().zip(labels).map(line).collect()
}

/// Number of terminal cells that a text takes: two for `李`, none for an accent.
pub fn width(text: &str) -> usize {
    text.width()
}

/// The width of the widest of some texts.
pub fn widest<'a>(texts: impl IntoIterator<Item = &'a String>) -> usize {
    texts.into_iter().map(|text| width(text)).max().unwrap_or(0)
}

/// A text with blanks behind it, as many as it lacks to a width.
///
/// ```
/// use text::columns::padded;
///
/// assert_eq!(padded("ab", 4), "ab  ");
/// assert_eq!(padded("李", 4), "李  ");
/// ```
pub fn padded(text: &str, to: usize) -> String {
    format!("{text}{}", " ".repeat(to.saturating_sub(width(text))))
}
