//! Standings for a document in Markdown.

use crate::standings::Standings;

use super::cells::{WORDS, sections};

/// What [`text`](super::text()) says, with a heading and a table for each part.
pub fn markdown(standings: &Standings) -> String {
    let sections = sections(standings).into_iter().map(|section| {
        let notes = section.notes.iter().map(|note| format!("- {}\n", escaped(note)));
        let notes: String = notes.collect();
        let gap = if notes.is_empty() { "" } else { "\n" };
        format!("## {}\n\n{}{gap}{notes}", escaped(&section.title), table(&section.table))
    });
    sections.collect::<Vec<_>>().join("\n")
}

fn table(rows: &[Vec<String>]) -> String {
    let line = |cells: &[String]| format!("| {} |\n", cells.join(" | "));
    let mut rows = rows.iter().map(|row| row.iter().map(|cell| escaped(cell)).collect::<Vec<_>>());
    let heading = rows.next().unwrap_or_default();
    let rule = |column| if column < WORDS { ":--" } else { "--:" };
    let rule: Vec<String> = (0..heading.len()).map(|column| rule(column).to_owned()).collect();
    let rows: String = rows.map(|row| line(&row)).collect();
    format!("{}{}{rows}", line(&heading), line(&rule))
}

/// The text as it must be written to be read as it is.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        if matches!(letter, '\\' | '|' | '*' | '_' | '`' | '<' | '[' | ']' | '#' | '~' | '&') {
            escaped.push('\\');
        }
        escaped.push(letter);
    }
    escaped
}
