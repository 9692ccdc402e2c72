//! Tables of text in columns, and what stands in them.

/// `21.32 ± 0.41`, or the mean alone where there is no interval.
pub(super) fn with_interval(
    mean: f64,
    unit: &str,
    decimals: usize,
    plus_minus: Option<f64>,
) -> String {
    match plus_minus {
        Some(half) => format!("{mean:.decimals$}{unit} ± {half:.decimals$}"),
        None => format!("{mean:.decimals$}{unit}"),
    }
}

/// Columns as wide as they must be: so many of the first to the left, the others to the right.
pub(super) fn aligned(rows: &[Vec<String>], left: usize) -> String {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let widths: Vec<usize> = (0..columns)
        .map(|column| {
            let cells = rows.iter().filter_map(|row| row.get(column));
            cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
        })
        .collect();
    let mut text = String::new();
    for row in rows {
        for (column, (cell, width)) in row.iter().zip(&widths).enumerate() {
            if column > 0 {
                text.push_str("  ");
            }
            text.push_str(&match column < left {
                true => format!("{cell:width$}"),
                false => format!("{cell:>width$}"),
            });
        }
        text.push('\n');
    }
    text
}

/// `1 game`, `2 games`.
pub(super) fn some(count: u64, what: &str) -> String {
    if count == 1 { format!("1 {what}") } else { format!("{count} {what}s") }
}
