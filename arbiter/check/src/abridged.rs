//! A request that fits on a screen, with its long lists and lines cut.

use text::counted;

/// Number of history lines shown, the last ones.
const HISTORY: usize = 3;

/// Number of legal moves shown, the first ones.
const LEGAL: usize = 5;

/// The longest line that is shown, in characters.
pub(crate) const WIDTH: usize = 100;

/// Returns the lines of a request, with a line of dots for each gap.
pub fn abridged(request: &str) -> Vec<String> {
    let lines: Vec<&str> = request.lines().collect();
    let mut shown = Vec::new();
    let mut place = 0;
    while let Some(&line) = lines.get(place) {
        let (key, value) = line.split_once(' ').unwrap_or((line, ""));
        shown.push(cut(line));
        place += 1;
        let inside = lines_inside(key, value).min(lines.len() - place);
        let block = &lines[place..place + inside];
        match key {
            "history" => {
                let hidden = inside.saturating_sub(HISTORY);
                shown.extend(left_out(hidden));
                shown.extend(block[hidden..].iter().map(|line| cut(line)));
            }
            "legal" => {
                shown.extend(block.iter().take(LEGAL).map(|line| cut(line)));
                shown.extend(left_out(inside.saturating_sub(LEGAL)));
            }
            _ => shown.extend(block.iter().map(|line| cut(line))),
        }
        place += inside;
        // Further lines with the same key are additions of the check.
        let alike = |line: &&&str| line.split(' ').next() == Some(key);
        let same = lines[place..].iter().take_while(alike).count();
        shown.extend(left_out(same));
        place += same;
    }
    shown
}

/// Returns the number of lines after a key that belong to it.
pub(crate) fn lines_inside(key: &str, value: &str) -> usize {
    let count = value.split(' ').next().and_then(|count| count.parse().ok());
    count.filter(|_| matches!(key, "view" | "history" | "legal")).unwrap_or(0)
}

fn left_out(lines: usize) -> Option<String> {
    match lines {
        0 => None,
        count => Some(format!("… {}", counted(count, "line", "lines"))),
    }
}

/// Cuts a line to the longest that is shown.
pub fn cut(line: &str) -> String {
    let mut text: String = line.chars().take(WIDTH).collect();
    if text.len() < line.len() {
        text.push('…');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_request_is_shown_all_the_same() {
        assert_eq!(abridged(""), Vec::<String>::new());
        assert_eq!(abridged("legal 9\n7S\n"), ["legal 9", "7S"]);
        assert_eq!(abridged("history 99999999999999999999\n"), ["history 99999999999999999999"]);
    }
}
